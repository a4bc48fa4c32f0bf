/**
 * Character references of HTML (§13.2.5.72) by the browser's own table, in the place of a library's: the page's build puts this where
 * `entities/decode` is imported, which saves 13 KB of 300 (gzipped). Where there is no document, as in a worker, none has a meaning.
 */
const NAME = /[A-Za-z][A-Za-z0-9]*;?/y;
const NUMBER = /#(?:[xX]([0-9A-Fa-f]+)|([0-9]+));?/y;

/** What the browser makes of a name, and how many of its characters are of the reference; kept, for mail repeats itself. */
const known = new Map<string, { readonly text: string; readonly length: number } | null>();
const NAMES_KEPT = 10_000;
/** No name is longer. */
const NAME_UNITS_MAX = 33;

function decoded(name: string): string {
  return new DOMParser().parseFromString(`&${name}`, "text/html").body.textContent ?? "";
}

/** The longest name that the text begins with ends where one more letter is not just added to what was decoded before. */
function lookUp(name: string): { readonly text: string; readonly length: number } | null {
  if (typeof DOMParser === "undefined") return null;
  let text = decoded(name);
  for (let length = name.length; length > 0; length--) {
    const shorter = decoded(name.slice(0, length - 1));
    if (text !== shorter + name[length - 1]) return { text, length };
    text = shorter;
  }
  return null;
}

function meaningOf(name: string): { readonly text: string; readonly length: number } | null {
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= NAMES_KEPT) known.clear();
  const meaning = lookUp(name);
  known.set(name, meaning);
  return meaning;
}

/** Numbers that mean what windows-1252 has there (§13.2.5.80). */
function numberedPoint(digits: string, base: 10 | 16): number {
  const point = Number.parseInt(digits, base);
  if (point === 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return 0xfffd;
  if (point < 0x80 || point > 0x9f) return point;
  return new TextDecoder("windows-1252").decode(Uint8Array.of(point)).codePointAt(0)!;
}

export const DecodingMode = { Legacy: 0 } as const;

export class HtmlEntityDecoder {
  readonly #emit: (point: number, consumed: number) => void;
  constructor(emit: (point: number, consumed: number) => void) {
    this.#emit = emit;
  }
  startEntity(_mode: number): void {}
  /** `at` is behind the `&`; how many characters the reference has, with it; 0: it is none. */
  write(text: string, at: number): number {
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text);
    if (number !== null) {
      const [all, hex, decimal] = number;
      const point = hex === undefined ? numberedPoint(decimal!, 10) : numberedPoint(hex, 16);
      this.#emit(point, all.length + 1);
      return all.length + 1;
    }
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0].slice(0, NAME_UNITS_MAX);
    const meaning = name === undefined ? null : meaningOf(name);
    if (meaning === null) return 0;
    for (const character of meaning.text) this.#emit(character.codePointAt(0)!, meaning.length + 1);
    return meaning.length + 1;
  }
  end(): number {
    return 0;
  }
}
