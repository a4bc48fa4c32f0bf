/** Functions of strings against naive ones over lists of characters, and the fuel that they spend. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compiled, evaluated, FACTS } from "../evaluate.ts";

const RANGE = "error: index out of range";
type Answer = string | number | boolean | readonly string[];

/** Whether `wanted` is in `text` at the character `at`. */
function isAt(text: readonly string[], wanted: readonly string[], at: number): boolean {
  return at + wanted.length <= text.length && wanted.every((each, nth) => each === text[at + nth]);
}

/** The characters from which on `wanted` is in `text`. */
function placesOf(text: readonly string[], wanted: readonly string[]): readonly number[] {
  return [...text, ""].flatMap((_, at) => (isAt(text, wanted, at) ? [at] : []));
}

/** Cuts `text` before and after the first `most` places of `wanted` that do not overlap. */
function cut(text: readonly string[], wanted: readonly string[], most: number): readonly string[] {
  const parts = [""];
  for (let at = 0; at < text.length; ) {
    if (parts.length <= most && isAt(text, wanted, at)) {
      parts.push("");
      at += wanted.length;
    } else parts.push(parts.pop()! + text[at++]);
  }
  return parts;
}

/** `text` with `<>` in the first `most` places of `wanted` that do not overlap. */
function replaced(text: readonly string[], wanted: readonly string[], most: number): string {
  let result = "";
  let count = 0;
  for (let at = 0; at <= text.length; ) {
    const isFound = count < most && isAt(text, wanted, at);
    if (isFound) {
      result += "<>";
      count++;
      at += wanted.length;
    }
    if (!isFound || wanted.length === 0) result += text[at++] ?? "";
  }
  return result;
}

/** What each function gives; `n` and `m` are positions or limits. */
const NAIVE: Readonly<
  Record<string, (text: string[], wanted: string[], n: number, m: number) => Answer>
> = {
  "t.size()": (text) => text.length,
  "t.contains(w)": (text, wanted) => placesOf(text, wanted).length > 0,
  "t.startsWith(w)": (text, wanted) => isAt(text, wanted, 0),
  "t.endsWith(w)": (text, wanted) =>
    wanted.length <= text.length && isAt(text, wanted, text.length - wanted.length),
  "t.charAt(n)": (text, _, n) => (n < 0 || n > text.length ? RANGE : (text[n] ?? "")),
  "t.indexOf(w)": (text, wanted) => placesOf(text, wanted)[0] ?? -1,
  "t.lastIndexOf(w)": (text, wanted) => placesOf(text, wanted).at(-1) ?? -1,
  "t.indexOf(w, n)": (text, wanted, n) => {
    if (wanted.length === 0) return n;
    if (n < 0 || n >= text.length) return RANGE;
    return placesOf(text, wanted).find((at) => at >= n) ?? -1;
  },
  "t.lastIndexOf(w, n)": (text, wanted, n) => {
    if (wanted.length === 0) return n;
    if (n < 0 || n >= text.length) return RANGE;
    return placesOf(text, wanted).findLast((at) => at <= n) ?? -1;
  },
  "t.substring(n)": (text, _, n) => (n < 0 || n > text.length ? RANGE : text.slice(n).join("")),
  "t.substring(n, m)": (text, _, n, m) =>
    n < 0 || m < n || m > text.length ? RANGE : text.slice(n, m).join(""),
  "t.replace(w, '<>')": (text, wanted) => replaced(text, wanted, 99),
  "t.replace(w, '<>', n)": (text, wanted, n) => replaced(text, wanted, n < 0 ? 99 : n),
  "t.split(w)": (text, wanted) => (wanted.length === 0 ? text : cut(text, wanted, 99)),
  "t.split(w, n)": (text, wanted, n) => {
    if (n === 0) return [];
    if (wanted.length > 0) return cut(text, wanted, n < 0 ? 99 : n - 1);
    return n < 0 || n >= text.length ? text : [...text.slice(0, n - 1), text.slice(n - 1).join("")];
  },
  "t.split('').join()": (text) => text.join(""),
  "t.split('').join(w)": (text, wanted) => text.join(wanted.join("")),
  "t.reverse()": (text) => text.toReversed().join(""),
  "t.trim()": (text) => {
    const [start, end] = [text.findIndex(isVisible), text.findLastIndex(isVisible)];
    return start < 0 ? "" : text.slice(start, end + 1).join("");
  },
  "t.lowerAscii()": (text) =>
    text.map((each) => (each === "É" ? each : each.toLowerCase())).join(""),
  "t.upperAscii()": (text) =>
    text.map((each) => (each === "é" ? each : each.toUpperCase())).join(""),
};

const SPACES = [" ", "\u0085", "\u3000"];
const isVisible = (each: string): boolean => !SPACES.includes(each);

const literal = (value: unknown): string => JSON.stringify(value);

/** An answer as CEL writes it. */
function written(answer: Answer): string {
  if (answer === RANGE) return RANGE;
  if (typeof answer === "object") return `[${answer.map(written).join(", ")}]`;
  return evaluated(literal(answer));
}

const character = fc.constantFrom("a", "B", "🐱", "é", "É", "\ufeff", ...SPACES);
const text = fc.oneof(
  fc.array(character, { maxLength: 5 }),
  fc.array(fc.constantFrom("a", "🐱"), { maxLength: 6 }),
);
const part = fc.array(fc.constantFrom("a", "🐱"), { maxLength: 2 });
const number = fc.integer({ min: -1, max: 7 });

test.each(Object.entries(NAIVE))("%s", (source, naive) => {
  fc.assert(
    fc.property(text, part, number, number, (given, wanted, n, m) => {
      const values: Readonly<Record<string, unknown>> = {
        ...{ t: given.join(""), w: wanted.join(""), n, m },
      };
      const answer = written(naive(given, wanted, n, m));
      const constant = source.replace(/\b[twnm]\b/g, (name) => literal(values[name]));
      expect(evaluated(constant)).toBe(answer);
      // An argument that is known only with the message.
      const late = source.replace(/\bw\b/g, `[${literal(values.w)}, subject][0]`);
      expect(evaluated(late.replace(/\b[tnm]\b/g, (name) => literal(values[name])))).toBe(answer);
    }),
    { seed: 20261122, numRuns: 300 },
  );
});

test.each([
  ...[
    "size()",
    "contains('b')",
    "charAt(0)",
    "indexOf('b')",
    "indexOf('b', 0)",
    "lastIndexOf('b')",
  ],
  ...[
    "lastIndexOf('b', 0)",
    "lowerAscii()",
    "upperAscii()",
    "replace('b', '')",
    "replace('b', '', 1)",
  ],
  ...["split(',')", "split(',', 1)", "split('').join()", "split('').join(',')", "substring(0)"],
  ...["substring(0, 1)", "trim()", "reverse()", "replace('a', 'bb')", "format([])"],
  ...["startsWith(subject)", "endsWith(subject)"],
])("fuel pays for every character that `%s` reads", (call) => {
  const fuelOf = (units: number): number => {
    const program = compiled(`[subject.${call}] == [dyn(1)]`);
    return program.evaluate({ ...FACTS, subject: "a".repeat(units) }).fuel;
  };
  expect(fuelOf(200) - fuelOf(100)).toBeGreaterThanOrEqual(100);
});

test.each([
  ["subject.contains(subject)", 8],
  ["subject.indexOf('bc') > 0", 6],
  ["subject.startsWith('abc')", 3],
  ["subject.endsWith('bcb')", 3],
  ["subject.contains('bc')", 6],
  ["subject.split('b') == dyn(1)", 6 + 2 * 16],
  // What is written costs as much as what is read, and each place one more.
  ["subject.replace('b', 'xyz') == ''", 12],
  ["subject.replace('b', 'xyz', -1) == ''", 12],
  ["subject.replace('b', 'xyz', 1) == ''", 8],
  ["subject.replace('b', 'xyz', 0) == ''", 4],
  ["subject.replace('a', 'x') == ''", 6],
  ["subject.replace('', 'xy') == ''", 19],
  ["subject.replace('', 'xy', 2) == ''", 10],
  // Two for the list, one and the separator for each element, and their characters; eight where the type is not known.
  ["['ab', subject].join('--') == ''", 32 + 14],
  ["['ab', subject].join() == ''", 32 + 10],
  ["[dyn(1), subject].join('--') == ''", 32 + 8 + 12],
  ["strings.quote(subject) == ''", 8],
])("fuel of %s over `abcb`: %d", (source, fuel) => {
  expect(compiled(source).evaluate({ ...FACTS, subject: "abcb" }).fuel).toBe(fuel);
});

test("a text is found anywhere in a long one", () => {
  for (const units of [253, 254, 255, 256, 257, 1_000]) {
    for (const [at, isFound] of [
      [0, true],
      [units >> 1, true],
      [units, true],
      [-1, false],
    ] as const) {
      const filler = "abcab".repeat(units).slice(0, units);
      const text = isFound ? `${filler.slice(0, at)}bb${filler.slice(at)}` : filler;
      for (const source of ["subject.contains('bb')", "subject.contains('bb' + '')"]) {
        const { outcome } = compiled(source).evaluate({ ...FACTS, subject: text });
        expect({ units, at, outcome }).toEqual({
          units,
          at,
          outcome: { kind: "value", value: isFound },
        });
      }
    }
    const empty = compiled("subject.contains('')").evaluate({
      ...FACTS,
      subject: "a".repeat(units),
    });
    expect(empty.outcome).toEqual({ kind: "value", value: true });
  }
});

test.each(["contains", "startsWith", "endsWith"])(
  "`%s` waits for the fact that it searches",
  (name) => {
    const { subject: _, ...facts } = FACTS;
    for (const wanted of ["abc", ""]) {
      const { outcome } = compiled(`subject.${name}('${wanted}')`).evaluate(facts);
      expect(outcome).toEqual({ kind: "unknown", needs: "header" });
    }
  },
);
