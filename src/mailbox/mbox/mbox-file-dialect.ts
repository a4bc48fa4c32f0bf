/** How an mbox file separates its messages, found from windows spread over it. */
import { closeSync, openSync, readSync } from "node:fs";
import { fsPath } from "../path-bytes.ts";
import { DialectEvidence } from "./mbox-dialect.ts";
import type { MboxDialect } from "./mbox-from-line.ts";

/** Octets of one window of a file, and windows of a large file: files up to 256 MB are looked at whole. */
const WINDOW_BYTES = 4_194_304;
const WINDOWS_MAX = 64;

/** The dialect of an mbox file of `fileBytes` octets, from all of it, or from windows spread over a large file. */
export function dialectOfFile(path: string, fileBytes: number): MboxDialect {
  const evidence = new DialectEvidence();
  const file = openSync(fsPath(path), "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, fileBytes));
    const windows = Math.min(WINDOWS_MAX, Math.ceil(fileBytes / WINDOW_BYTES));
    const step = windows <= 1 ? 0 : (fileBytes - buffer.length) / (windows - 1);
    for (let window = 0; window < windows; window++) {
      const at = Math.floor(window * step);
      const bytesRead = readSync(file, buffer, 0, buffer.length, at);
      const rest = at + bytesRead >= fileBytes ? "ended" : "more";
      evidence.addAll(buffer.subarray(0, bytesRead), window === 0 ? "start" : "within", rest);
    }
  } finally {
    closeSync(file);
  }
  return evidence.dialect();
}
