/**
 * Charsets decoded with tables. In Node.js, iconv-lite has more charsets than TextDecoder, and more exact ones; it is
 * loaded with the first message that needs it. A browser's TextDecoder has those of the Encoding standard; nothing is
 * loaded.
 */
import type { Buffer } from "node:buffer";

/** The functions of iconv-lite in use. */
interface Tables {
  /** By canonical name, once `encodingExists` was called. */
  readonly encodings: Readonly<Record<string, unknown>>;
  encodingExists(name: string): boolean;
  decode(bytes: Uint8Array | Buffer, name: string): string;
}

/** A host that can load modules synchronously. */
interface Loader {
  getBuiltinModule?(name: string): { createRequire(url: string): (name: string) => unknown };
}

/** Names that iconv-lite takes as charsets but no mail means: transfer encodings and the UTF-7 of IMAP. */
const REFUSED = /^(?:base64|hex|binary|utf-?7-?imap)$/;

/**
 * Labels of the Encoding standard that TextDecoder has and iconv-lite has not. Asking either for a name that it does not
 * know makes an error, which takes as long as decoding a thousand octets.
 */
const OTHER_LABELS = new Set(
  (
    "unicode20utf8 x-unicode20utf8 csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i sun_eu_greek csiso88598e visual csiso88598i " +
    "logical csisolatin9 koi koi8 x-mac-roman dos-874 x-cp1250 x-cp1251 x-cp1253 x-cp1254 x-cp1255 x-cp1256 x-cp1257 x-cp1258 " +
    "x-mac-cyrillic x-mac-ukrainian cseucpkdfmtjapanese x-euc-jp unicodefffe csunicode iso-10646-ucs-2 unicode unicodefeff"
  ).split(" "),
);

let loaded: Tables | null | undefined;

function tables(): Tables | null {
  if (loaded !== undefined) return loaded;
  loaded = loadBeside("iconv-lite") as Tables | null;
  // The first question loads the names.
  loaded?.encodingExists("utf-8");
  return loaded;
}

/** The name as iconv-lite lists it. */
function canonicalName(name: string): string {
  return name.replace(/:\d{4}$|[^0-9a-z]/g, "");
}

/** Loads a module or a JSON file synchronously; `null` if the host cannot, or it is missing. */
export function loadBeside(name: string): unknown {
  const { process } = globalThis as { process?: Loader };
  try {
    const module = process?.getBuiltinModule?.("node:module");
    return module?.createRequire(import.meta.url)(name) ?? null;
  } catch {
    return null;
  }
}

/** Decodes octets of one charset. Total. */
export type Decoder = (bytes: Uint8Array) => string;

/** The decoder of a charset, named in lower case; `null` if no table has it. */
export function tableDecoder(name: string): Decoder | null {
  if (REFUSED.test(name)) return null;
  const all = tables();
  if (all !== null) {
    if (all.encodings[canonicalName(name)] !== undefined) return (bytes) => all.decode(bytes, name);
    if (!OTHER_LABELS.has(name)) return null;
  }
  try {
    const decoder = new TextDecoder(name);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return null;
  }
}
