/**
 * EUC-JP with the characters that its decoders lack: those of JIS X 0213:2004, and the rows that IBM added to its
 * third set. In Node.js their table, `jis-x-0213.json`, is loaded with the first text that needs it; a browser does
 * without.
 */
import { loadBeside } from "./charset-tables.ts";

/** Characters that follow each other in a row, from a two-octet code on. */
type Stretch = readonly [code: number, characters: string];

interface CharsetTable {
  readonly plane1: readonly Stretch[];
  readonly plane2: readonly Stretch[];
  readonly ibm: readonly Stretch[];
  /** Characters of two code points, by plane and code. */
  readonly combined: readonly (readonly [plane: "plane1", code: number, character: string])[];
}

/** The characters to read in addition to the standard's own sets. */
export type Additions = "JIS X 0213" | "IBM";

/** Key: `0x8f` or 0, then the two octets of a character. */
type Characters = ReadonlyMap<number, string>;

const [SINGLE_SHIFT_2, SINGLE_SHIFT_3] = [0x8e, 0x8f];
const THIRD_SET = SINGLE_SHIFT_3 << 16;

const made = new Map<Additions, Characters>();

function charactersOf(additions: Additions): Characters {
  const known = made.get(additions);
  if (known !== undefined) return known;
  const characters = new Map<number, string>();
  const add = (stretches: readonly Stretch[], set: number): void => {
    for (const [code, text] of stretches) {
      for (const [index, character] of [...text].entries()) {
        characters.set(set | (code + index), character);
      }
    }
  };
  const table = loadBeside("./jis-x-0213.json") as CharsetTable | null;
  if (table !== null && additions === "IBM") add(table.ibm, THIRD_SET);
  if (table !== null && additions === "JIS X 0213") {
    add(table.plane1, 0);
    add(table.plane2, THIRD_SET);
    for (const [, code, character] of table.combined) characters.set(code, character);
  }
  made.set(additions, characters);
  return characters;
}

/** Number of octets of the character at `at`. */
function widthAt(bytes: Uint8Array, at: number): 1 | 2 | 3 {
  const first = bytes[at]!;
  if (first < SINGLE_SHIFT_2) return 1;
  if (first === SINGLE_SHIFT_3) return 3;
  return first === SINGLE_SHIFT_2 || first > 0xa0 ? 2 : 1;
}

/** The text of octets in EUC-JP; `decode` reads the characters that are not additions. Total. */
export function decodeEucJp(
  bytes: Uint8Array,
  additions: Additions,
  decode: (bytes: Uint8Array, charset: string) => string,
): string {
  const characters = charactersOf(additions);
  let text = "";
  let plain = 0;
  for (let at = 0; at < bytes.length; ) {
    const width = widthAt(bytes, at);
    const code = ((bytes[at + width - 2] ?? 0) << 8) | (bytes[at + width - 1] ?? 0);
    const character =
      width === 1 ? undefined : characters.get(width === 3 ? THIRD_SET | code : code);
    if (character !== undefined) {
      if (at > plain) text += decode(bytes.subarray(plain, at), "euc-jp");
      text += character;
      plain = at + width;
    }
    at += width;
  }
  return plain < bytes.length ? text + decode(bytes.subarray(plain), "euc-jp") : text;
}
