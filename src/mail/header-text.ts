/** Turns the octets of a header field's value into text. */
import { type CharsetDecoder, decodeEncodedWords } from "./encoded-words.ts";
import { octetsOf } from "./octet-text.ts";
import { unitsFor, unitText } from "./unit-text.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const ABOVE_ASCII = /[\u0080-\u00ff]/;
/** What makes a value more than plain text on one line. */
const UNUSUAL = /[^ -~]|=\?/;
const FOLDED_OR_8BIT = /[\r\n\u0080-\u00ff]/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const [LF, CR, SPACE, DEL, C1_LAST] = [10, 13, 32, 127, 159];

// ASSUMPTION(undeclared-8bit): octets above 127 without a charset are UTF-8 where valid, else windows-1252.
function undeclared(value: string, decode: CharsetDecoder): string {
  const bytes = octetsOf(value);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decode(bytes, "windows-1252");
  }
}

/** The text without the code units of which `isDropped` says so. */
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

/** Units of a value whose few folds are best taken out one by one; longer ones may have thousands. */
const FEW_FOLDS_UNITS = 1_000;

function unfolded(text: string): string {
  if (text.length > FEW_FOLDS_UNITS) return without(text, isLineBreak);
  return text.replaceAll("\n", "").replaceAll("\r", "");
}

/**
 * The octet text of a value as text, unfolded, encoded words left as they are. Octets above 127 are UTF-8 (RFC 6532)
 * where all of the value is valid UTF-8.
 */
export function rawHeaderText(value: string, decode: CharsetDecoder): string {
  if (!FOLDED_OR_8BIT.test(value)) return value.trim();
  return unfolded(ABOVE_ASCII.test(value) ? undeclared(value, decode) : value).trim();
}

/** The text without control characters, tabs as spaces, lone surrogates replaced, and no blanks at the ends. */
// ASSUMPTION(header-text): rules see header text decoded and unfolded, tabs as spaces, control characters removed.
export function cleanText(text: string): string {
  const spaced = text.includes("\t") ? text.replaceAll("\t", " ") : text;
  return (CONTROL.test(spaced) ? without(spaced, isControl) : spaced.toWellFormed()).trim();
}

/** The value as people see it: unfolded, encoded words decoded, cleaned. */
export function headerText(value: string, decode: CharsetDecoder): string {
  if (!UNUSUAL.test(value)) return value.trim();
  return cleanText(decodeEncodedWords(rawHeaderText(value, decode), decode));
}
