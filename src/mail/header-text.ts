/** Turns the octets of a header field's value into text. */
import { type CharsetDecoder, decodeEncodedWords } from "./encoded-words.ts";
import { octetsOf } from "./octet-text.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const ABOVE_ASCII = /[\u0080-\u00ff]/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const CONTROLS = new RegExp(CONTROL, "g");

// ASSUMPTION(undeclared-8bit): octets above 127 without a charset are UTF-8 where valid, else windows-1252.
function undeclared(value: string, decode: CharsetDecoder): string {
  const bytes = octetsOf(value);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decode(bytes, "windows-1252");
  }
}

/**
 * The octet text of a value as text, unfolded, encoded words left as they are. Octets above 127 are UTF-8 (RFC 6532)
 * where all of the value is valid UTF-8.
 */
export function rawHeaderText(value: string, decode: CharsetDecoder): string {
  const text = ABOVE_ASCII.test(value) ? undeclared(value, decode) : value;
  const isFolded = text.includes("\n") || text.includes("\r");
  return (isFolded ? text.replace(/[\r\n]+/g, "") : text).trim();
}

/** The text without control characters, tabs as spaces, lone surrogates replaced, and no blanks at the ends. */
// ASSUMPTION(header-text): rules see header text decoded and unfolded, tabs as spaces, control characters removed.
export function cleanText(text: string): string {
  const clean = CONTROL.test(text) ? text.replaceAll("\t", " ").replace(CONTROLS, "") : text;
  return clean.toWellFormed().trim();
}

/** The value as people see it: unfolded, encoded words decoded, cleaned. */
export function headerText(value: string, decode: CharsetDecoder): string {
  return cleanText(decodeEncodedWords(rawHeaderText(value, decode), decode));
}
