/** Decodes bytes in the charsets that mail names, with the guesses that real mail needs. Total. */

import { ownText } from "../../base/own-text.ts";
import { type Decoder, tableDecoder } from "./charset-tables.ts";
import { decodeEucJp } from "./euc-jp.ts";
import { decodeIbm037 } from "./ibm-037.ts";
import { decodeHz, decodeIso2022 } from "./iso-2022.ts";
import { decodeJohab } from "./johab.ts";
import { asciiText, latin1Text } from "./octet-text.ts";
import { decodeUtf7 } from "./utf-7.ts";

const UTF_8 = /^utf-?8$/;
const ASCII = /^(?:us-?)?ascii$/;
/** What mail calls ISO-8859-1 is windows-1252 in practice (WHATWG Encoding §4.2). */
const WINDOWS_1252 = /^(?:(?:x-)?ansi|iso-?8859-?1|latin-?1|l1|cp-?1252|x-cp1252|windows-?1252)$/;
/** Other charsets in which an octet below 128 always is what it is in ASCII. */
const ASCII_BASED = /^(?:iso-?8859-?\d\d?|(?:windows|cp)-?125\d|koi8-[ru])$/;

/** Charsets that iconv-lite and TextDecoder lack, or have under other names. */
const OTHERS: readonly (readonly [RegExp, (bytes: Uint8Array, name: string) => string])[] = [
  [/^(?:(?:x-)?unicode-\d-\d-)?utf-?7$/, (bytes) => decodeUtf7(latin1Text(bytes))],
  [
    /^(?:cs|x-)?iso-?2022-?(?:jp(?:-?(?:[123]|2004|ms|ext))?|kr|cn(?:-?ext)?)$|^(?:x-)?(?:cp|windows-?)5022\d$|^(?:csjisencoding|jis)$/,
    (bytes, name) => decodeIso2022(bytes, name, decodeCharset),
  ],
  [/^hz(?:-?gb-?2312)?$/, (bytes) => decodeHz(bytes, decodeCharset)],
  [
    /^(?:x-)?euc-?jp-?(?:ms|win|open)$|^(?:cp|windows-?)(?:51932|20932)$/,
    (bytes) => decodeEucJp(bytes, "IBM", decodeCharset),
  ],
  [/^euc-?jis(?:-?x-?0213|-?2004)$/, (bytes) => decodeEucJp(bytes, "JIS X 0213", decodeCharset)],
  [/^(?:x-)?johab$|^(?:cp|ms|windows-?)1361$/, (bytes) => decodeJohab(bytes, decodeCharset)],
  [/^(?:cs)?(?:ibm|cp)-?0?37$|^ebcdic-cp-(?:us|ca|wt|nl)$/, decodeIbm037],
];

const utf8 = new TextDecoder("utf-8");
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

const C1 = /[\u0080-\u009f]/g;
/** 0x80 to 0x9F of windows-1252. */
const C1_LETTERS = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ";

/** windows-1252 has the letters of ISO-8859-1 except at 0x80 to 0x9F. */
function fromWindows1252(bytes: Uint8Array): string {
  const ascii = asciiText(bytes);
  if (ascii !== null) return ascii;
  return latin1Text(bytes).replace(C1, (letter) => C1_LETTERS[letter.charCodeAt(0) - 0x80]!);
}

const REPLACEMENT = 0xfffd;

/** Whether a text decoded as UTF-8 has more letters above ASCII than replacement characters. */
function readsAsUtf8(text: string): boolean {
  let letters = 0;
  let marks = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === REPLACEMENT) marks++;
    // The second half of a surrogate pair is not counted.
    else if (unit > 127 && (unit & 0xfc00) !== 0xdc00) letters++;
  }
  return letters > marks;
}

/**
 * The text of octets without a declared charset: UTF-8 if it is valid, or holds more characters above ASCII than
 * invalid octets; else windows-1252, which decodes any octet.
 */
// ASSUMPTION(undeclared-8bit): octets above 127 without a charset are UTF-8 where more of them are than are not, else windows-1252.
export function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const text = utf8.decode(bytes);
    return readsAsUtf8(text) ? text : fromWindows1252(bytes);
  }
}

/** Code units of a charset's name with what may stand around it. The names of RFC 2978 have 40. */
const NAME_UNITS_MAX = 128;
/** Charsets whose decoder is kept: more than all mail of a day names. */
const DECODERS_MAX = 256;

const decoders = new Map<string, Decoder>();

/** The decoder of a charset. It keeps nothing of the texts that it decoded. */
function decoderOf(charset: string): Decoder {
  const name = charset.toLowerCase().replace(/^[\s"']+|[\s"';]+$/g, "");
  if (UTF_8.test(name)) return (bytes) => utf8.decode(bytes);
  if (name === "" || ASCII.test(name)) return decodeUndeclared;
  if (WINDOWS_1252.test(name)) return fromWindows1252;
  const own = OTHERS.find(([names]) => names.test(name));
  if (own !== undefined) return (bytes) => own[1](bytes, name);
  if (!ASCII_BASED.test(name)) return tableDecoder(name) ?? decodeUndeclared;
  // Text that is all ASCII loads no tables.
  let decode: Decoder | undefined;
  return (bytes) => {
    const text = asciiText(bytes);
    if (text !== null) return text;
    decode ??= tableDecoder(name) ?? decodeUndeclared;
    return decode(bytes);
  };
}

/**
 * The text of `bytes` in a charset, named in any case, with or without quotes. An unknown charset counts as
 * undeclared. Node 20's TextDecoder reads windows-1252 wrongly at 0x80–0x9F, so it is not used for that.
 */
export function decodeCharset(bytes: Uint8Array, charset: string): string {
  if (charset.length > NAME_UNITS_MAX) return decodeUndeclared(bytes);
  const known = decoders.get(charset);
  if (known !== undefined) return known(bytes);
  const own = ownText(charset);
  const decoder = decoderOf(own);
  if (decoders.size >= DECODERS_MAX) decoders.clear();
  decoders.set(own, decoder);
  return decoder(bytes);
}
