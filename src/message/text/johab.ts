/** Johab (KS X 1001 annex 3): Hangul composed of its letters, five bits each; other characters by rows of KS X 1001. */

const [INITIALS, MEDIALS, FINALS] = [19, 21, 28];
const [FIRST_SYLLABLE, FIRST_LETTER] = [0xac00, 0x3130];

/** The index of a code in its list; -1 for the code of `none`, `null` for an unused code. */
function placeIn(codes: readonly number[], code: number): number | null {
  const place = codes.indexOf(code);
  return place < 0 ? null : place - 1;
}

/** Codes of each kind of letter; the code of `none` is first. */
const INITIAL_CODES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
const MEDIAL_CODES = [
  2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29,
];
const FINAL_CODES = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
  29,
];
/** Single letters, as offsets from U+3130. */
const INITIAL_LETTERS = [
  0x01, 0x02, 0x04, 0x07, 0x08, 0x09, 0x11, 0x12, 0x13, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b,
  0x1c, 0x1d, 0x1e,
];
const FINAL_LETTERS = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11,
  0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e,
];
const MEDIAL_FIRST = 0x1f;

/** The Hangul character of a two-octet code; `null` if there is none. */
function hangul(code: number): string | null {
  const initial = placeIn(INITIAL_CODES, (code >> 10) & 31);
  const medial = placeIn(MEDIAL_CODES, (code >> 5) & 31);
  const final = placeIn(FINAL_CODES, code & 31);
  if (initial === null || medial === null || final === null) return null;
  if (initial >= 0 && medial >= 0) {
    const syllable = (initial * MEDIALS + medial) * FINALS + final + 1;
    return String.fromCharCode(FIRST_SYLLABLE + syllable);
  }
  const letters = [
    initial < 0 || initial >= INITIALS ? 0 : INITIAL_LETTERS[initial]!,
    medial < 0 ? 0 : MEDIAL_FIRST + medial,
    final < 0 ? 0 : FINAL_LETTERS[final]!,
  ].filter((letter) => letter > 0);
  return letters.length === 0
    ? null
    : String.fromCharCode(...letters.map((letter) => FIRST_LETTER + letter));
}

/** The EUC-KR octets for a code in Johab's rows; `null` if there are none (as in libiconv's `johab.h`). */
function rowOf(first: number, second: number): Uint8Array | null {
  const isRow = (first >= 0xd9 && first <= 0xde) || (first >= 0xe0 && first <= 0xf9);
  const isColumn = (second >= 0x31 && second <= 0x7e) || (second >= 0x91 && second <= 0xfe);
  if (!isRow || !isColumn) return null;
  const row = first < 0xe0 ? 2 * (first - 0xd9) : 2 * first - 0x197;
  const column = second < 0x91 ? second - 0x31 : second - 0x43;
  const isUpper = column >= 0x5e;
  return Uint8Array.of(row + (isUpper ? 1 : 0) + 0xa1, (isUpper ? column - 0x5e : column) + 0xa1);
}

/** The text of octets in Johab. Total. */
export function decodeJohab(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array, charset: string) => string,
): string {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at]!;
    const second = bytes[at + 1];
    if (first < 128 || second === undefined) {
      texts.push(first < 128 ? String.fromCharCode(first) : "\ufffd");
      continue;
    }
    const row = rowOf(first, second);
    const text = row === null ? hangul((first << 8) | second) : decode(row, "euc-kr");
    texts.push(text ?? "\ufffd");
    if (text !== null || second >= 128) at++;
  }
  return texts.join("");
}
