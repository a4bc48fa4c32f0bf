/** How rare a text is in mail, in bits, by which to choose the text to look for. */

/**
 * Units of mail by the negative binary logarithm of their share, as counted in the bodies of 1,024 real messages;
 * capitals are counted separately.
 */
const UNITS_BY_BITS: readonly (readonly [bits: number, units: string])[] = [
  [3, " e"],
  [4, "taoinsr"],
  [5, "lh\nduc"],
  [6, "m-pg.fyw_"],
  [7, "b,v0k>/I="],
  [8, "TSAE:2RC1*MOPNDL'\"xBF"],
];
const RAREST_BITS = 9;

const BITS: Uint8Array = new Uint8Array(128).fill(RAREST_BITS);
for (const [bits, units] of UNITS_BY_BITS) {
  for (let at = 0; at < units.length; at++) BITS[units.charCodeAt(at)] = bits;
}

/** How rare a code unit is, in bits; `RAREST_BITS` beyond ASCII. */
export function unitBits(unit: number): number {
  return BITS[unit] ?? RAREST_BITS;
}

/** Pieces that most mails contain, far more often than their letters suggest. */
const COMMON = [
  ..."http :// www. .com .net .org html mail list free click the and you your for".split(" "),
  ..."this that with have from will ing tion ment ight able ould ther here".split(" "),
].sort((one, other) => other.length - one.length);
const COMMON_BITS = 8;
/** By their first character. */
const COMMON_BY_FIRST: readonly (readonly string[])[] = Array.from({ length: 128 }, (_, first) =>
  COMMON.filter((piece) => piece.charCodeAt(0) === first),
);

/** Bits of a repeated character that is not a letter: such characters draw lines. */
const REPEATED_BITS = 1;

const isLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;

/** The sum over the code units from `from` to `to`; capitals count as their small letters. */
export function literalBits(text: string, from: number = 0, to: number = text.length): number {
  const small = text.slice(from, to).toLowerCase();
  let bits = 0;
  for (let at = 0; at < small.length; ) {
    const unit = small.charCodeAt(at);
    const common = COMMON_BY_FIRST[unit]?.find((piece) => small.startsWith(piece, at));
    if (common !== undefined) {
      bits += COMMON_BITS;
      at += common.length;
      continue;
    }
    const repeated = at > 0 && unit === small.charCodeAt(at - 1) && !isLetter(unit);
    bits += repeated ? REPEATED_BITS : unitBits(unit);
    at++;
  }
  return bits;
}
