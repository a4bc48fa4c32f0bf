/** How rare a text is in mail, in bits: to choose which of several texts to look for. */

/** Letters in the prose of mails, markup and addresses among it, by roughly the negative logarithm of their share. */
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

/** The sum over the code units from `from` to `to`; capitals count as their small letters. */
export function literalBits(text: string, from: number = 0, to: number = text.length): number {
  let bits = 0;
  for (let at = from; at < to; at++) bits += BITS[text.charCodeAt(at)] ?? RARE_BITS;
  return bits;
}
