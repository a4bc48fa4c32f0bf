/**
 * Charsets by tables. In Node.js iconv-lite has more of them, and truer ones, than TextDecoder, and is loaded with the
 * first message that needs one; a browser's TextDecoder has those of the Encoding standard, and nothing is loaded.
 */
import type { Buffer } from "node:buffer";

/** What is asked of iconv-lite. */
interface Tables {
  encodingExists(name: string): boolean;
  decode(bytes: Uint8Array | Buffer, name: string): string;
}

/** What a host that can load modules at once has. */
interface Loader {
  getBuiltinModule?(name: string): { createRequire(url: string): (name: string) => unknown };
}

/** Transfer encodings and UTF-7, which iconv-lite knows as charsets and nobody means. */
const REFUSED = /^(?:base64|hex|binary|utf-?7-?imap)$/;

let loaded: Tables | null | undefined;

/** A module or a file of JSON, loaded at once; `null` where the host cannot, or there is none. */
export function loadBeside(name: string): unknown {
  const { process } = globalThis as { process?: Loader };
  try {
    const module = process?.getBuiltinModule?.("node:module");
    return module?.createRequire(import.meta.url)(name) ?? null;
  } catch {
    return null;
  }
}

/** The text of `bytes` in the charset of a name in lower case; `null` where no table has it. */
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
