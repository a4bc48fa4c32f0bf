/**
 * Charsets decoded with tables. In Node.js, iconv-lite has more charsets than TextDecoder, and more exact ones; it is
 * loaded with the first message that needs it. A browser's TextDecoder has those of the Encoding standard; nothing is
 * loaded.
 */
import type { Buffer } from "node:buffer";

/** The functions of iconv-lite in use. */
interface Tables {
  encodingExists(name: string): boolean;
  decode(bytes: Uint8Array | Buffer, name: string): string;
}

/** A host that can load modules synchronously. */
interface Loader {
  getBuiltinModule?(name: string): { createRequire(url: string): (name: string) => unknown };
}

/** Names that iconv-lite takes as charsets but no mail means: transfer encodings and the UTF-7 of IMAP. */
const REFUSED = /^(?:base64|hex|binary|utf-?7-?imap)$/;

let loaded: Tables | null | undefined;

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

/** The text of `bytes` in a charset, named in lower case; `null` if no table has it. */
export function decodeByTable(bytes: Uint8Array, name: string): string | null {
  if (REFUSED.test(name)) return null;
  loaded = loaded === undefined ? (loadBeside("iconv-lite") as Tables | null) : loaded;
  if (loaded?.encodingExists(name) === true) return loaded.decode(bytes, name);
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    return null;
  }
}
