/** How rare a text is in mail, in bits, by which to choose the text to look for. */

/** Letters in the texts of mails, including markup and addresses, by roughly the negative logarithm of their share. */
const LETTERS_BY_BITS: readonly (readonly [bits: number, letters: string])[] = [
  [3, " eE"],
  [4, "taoinsrTAOINSR"],
  [5, "hldcmupHLDCMUP\n.="],
  [6, "fgwybvFGWYBV-0123456789<>/,:"],
];

const RARE_BITS = 8;

const BITS: Uint8Array = new Uint8Array(128).fill(RARE_BITS);
for (const [bits, letters] of LETTERS_BY_BITS) {
  for (let at = 0; at < letters.length; at++) BITS[letters.charCodeAt(at)] = bits;
}

/** Pieces that most mails contain, far more often than their letters suggest. */
const COMMON = [
  ..."http :// www. .com .net .org html mail list free click the and you your for".split(" "),
  ..."this that with have from will ing tion ment ight able ould ther here".split(" "),
].sort((one, other) => other.length - one.length);
const COMMON_BITS = 8;

/** Bits of a repeated character that is not a letter: such characters draw lines. */
const REPEATED_BITS = 1;

const isLetter = (unit: number): boolean => (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;

/** The sum over the code units from `from` to `to`; capitals count as their small letters. */
export function literalBits(text: string, from: number = 0, to: number = text.length): number {
  const small = text.slice(from, to).toLowerCase();
  let bits = 0;
  for (let at = 0; at < small.length; ) {
    const common = COMMON.find((piece) => small.startsWith(piece, at));
    if (common !== undefined) {
      bits += COMMON_BITS;
      at += common.length;
      continue;
    }
    const unit = small.charCodeAt(at);
    const repeated = at > 0 && unit === small.charCodeAt(at - 1) && !isLetter(unit);
    bits += repeated ? REPEATED_BITS : (BITS[unit] ?? RARE_BITS);
    at++;
  }
  return bits;
}
