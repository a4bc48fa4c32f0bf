/** Turns the octets of a header field's value into text. */

import { octetsOf } from "../text/octet-text.ts";
import { unitsFor, unitText } from "../text/unit-text.ts";
import { type CharsetDecoder, decodeEncodedWords } from "./encoded-words.ts";

const ABOVE_ASCII = /[\u0080-\u00ff]/;
/** A character that makes a value more than plain text on one line. */
const UNUSUAL = /[^ -~]|=\?/;
const FOLDED_OR_8BIT = /[\r\n\u0080-\u00ff]/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const [LF, CR, SPACE, DEL, C1_LAST] = [10, 13, 32, 127, 159];

/** The text of octets without a declared charset; the decoder gets `""` as its name. */
function undeclared(value: string, decode: CharsetDecoder): string {
  return decode(octetsOf(value), "");
}

/** The text without the code units for which `isDropped` is true. */
function without(text: string, isDropped: (unit: number) => boolean): string {
  const units = unitsFor(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (!isDropped(unit)) units[length++] = unit;
  }
  return unitText(units, length);
}

const isLineBreak = (unit: number): boolean => unit === LF || unit === CR;
const isControl = (unit: number): boolean => unit < SPACE || (unit >= DEL && unit <= C1_LAST);

/** Values up to this length have few folds, best removed one by one; longer ones may have thousands. */
const FEW_FOLDS_UNITS = 1_000;

function unfolded(text: string): string {
  if (text.length > FEW_FOLDS_UNITS) return without(text, isLineBreak);
  return text.replaceAll("\n", "").replaceAll("\r", "");
}

/**
 * Decodes and unfolds the octet text of a value, but leaves encoded words as they are. Octets above 127 have no
 * declared charset.
 */
export function rawHeaderText(value: string, decode: CharsetDecoder): string {
  if (!FOLDED_OR_8BIT.test(value)) return value.trim();
  return unfolded(ABOVE_ASCII.test(value) ? undeclared(value, decode) : value).trim();
}

/** The text without control characters and blanks at the ends, with tabs as spaces and lone surrogates replaced. */
// ASSUMPTION(header-text): rules see header text decoded and unfolded, tabs as spaces, control characters removed.
export function cleanText(text: string): string {
  const spaced = text.includes("\t") ? text.replaceAll("\t", " ") : text;
  return (CONTROL.test(spaced) ? without(spaced, isControl) : spaced.toWellFormed()).trim();
}

/** Q-encoded words; raw octets inside one are in its charset. */
const Q_WORD = /=\?[\w.:+()"'*-]{1,130}\?q\?[^?]*\?=/gi;
const RAW_OCTET = /[\u0080-\u00ff]/g;

/** The octet text with raw octets inside Q-encoded words written as `=XX`. */
function escapedWords(value: string): string {
  if (!value.includes("=?") || !ABOVE_ASCII.test(value)) return value;
  return value.replace(Q_WORD, (word) =>
    word.replace(RAW_OCTET, (octet) => `=${octet.charCodeAt(0).toString(16)}`),
  );
}

/** The value as people see it: unfolded, encoded words decoded, cleaned. */
export function headerText(value: string, decode: CharsetDecoder): string {
  if (!UNUSUAL.test(value)) return value.trim();
  return cleanText(decodeEncodedWords(rawHeaderText(escapedWords(value), decode), decode));
}
