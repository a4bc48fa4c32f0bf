/** Where a text first stops being JSON (RFC 8259), for messages; the engine's own errors do not always say. */

/** What may come next; after a value, that depends on the brackets around it. */
type State = "value" | "first item" | "key" | "first key" | "colon" | "after";

const BLANK = /[ \t\r\n]*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Behind the string that opens at `at`, or where it goes wrong. */
function readString(text: string, at: number): { end: number; isWhole: boolean } {
  let end = at + 1;
  for (;;) {
    end = endOf(PLAIN, text, end)!;
    if (text[end] === '"') return { end: end + 1, isWhole: true };
    const escaped = endOf(ESCAPE, text, end);
    if (escaped === null) return { end, isWhole: false };
    end = escaped;
  }
}

const isValue = (state: State): boolean => state === "value" || state === "first item";
const isKey = (state: State): boolean => state === "key" || state === "first key";

/** The state behind a punctuation mark, or `null` where it must not stand; `open` are the brackets around it. */
function punctuate(mark: string, state: State, open: string[]): State | null {
  switch (mark) {
    case "[":
    case "{":
      if (!isValue(state)) return null;
      open.push(mark);
      return mark === "[" ? "first item" : "first key";
    case "]":
      return (state === "first item" || state === "after") && open.pop() === "[" ? "after" : null;
    case "}":
      return (state === "first key" || state === "after") && open.pop() === "{" ? "after" : null;
    case ":":
      return state === "colon" ? "value" : null;
    default:
      if (state !== "after" || open.length === 0) return null;
      return open.at(-1) === "{" ? "key" : "value";
  }
}

/** The offset of the first mistake; the text's length where more should come. */
export function findJsonMistake(text: string): number {
  const open: string[] = [];
  let state: State = "value";
  let at = endOf(BLANK, text, 0)!;
  while (at < text.length) {
    const mark = text[at]!;
    if ("[]{}:,".includes(mark)) {
      const next = punctuate(mark, state, open);
      if (next === null) return at;
      state = next;
      at++;
    } else if (mark === '"') {
      if (!isValue(state) && !isKey(state)) return at;
      const { end, isWhole } = readString(text, at);
      if (!isWhole) return end;
      state = isKey(state) ? "colon" : "after";
      at = end;
    } else {
      const end = isValue(state) ? endOf(SCALAR, text, at) : null;
      if (end === null) return at;
      state = "after";
      at = end;
    }
    at = endOf(BLANK, text, at)!;
  }
  return at;
}
