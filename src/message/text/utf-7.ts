/** UTF-7 (RFC 2152): code units in base64 between `+` and the first other character. */

const SHIFTED = /\+([A-Za-z0-9+/]*)(-?)/g;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const [UNIT_BITS, LETTER_BITS] = [16, 6];

/** The code units of base64 letters; bits that do not fill a unit are dropped. */
function unitsOf(letters: string): string {
  const units: number[] = [];
  let bits = 0;
  let count = 0;
  for (const letter of letters) {
    bits = ((bits << LETTER_BITS) | LETTERS.indexOf(letter)) & 0x3fffff;
    count += LETTER_BITS;
    if (count < UNIT_BITS) continue;
    count -= UNIT_BITS;
    units.push((bits >> count) & 0xffff);
  }
  let text = "";
  for (let at = 0; at < units.length; at += 4_096) {
    text += String.fromCharCode(...units.slice(at, at + 4_096));
  }
  return text;
}

/** The text of an octet text; a shift that gives no unit stays as it is. Total. */
export function decodeUtf7(octets: string): string {
  return octets.replace(SHIFTED, (shift, letters: string, end: string) => {
    if (letters === "") return end === "-" ? "+" : shift;
    return unitsOf(letters) || shift;
  });
}
