/** Detects changes of a source from its size, its times, and a hash of samples of its content. */
import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { fsPath } from "../../mailbox/path-bytes.ts";

/** Plain JSON. */
export interface SourceStamp {
  readonly bytes: number;
  /** Times of the last change of content, and of any change, which cannot be set by hand: milliseconds. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Octets of one sample; three are taken, at both ends and in the middle. */
const SAMPLE_BYTES = 4_096;

export function stampOf(found: {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}): SourceStamp {
  const { size, mtimeMs, ctimeMs } = found;
  return { bytes: size, mtimeMs, ctimeMs };
}

export type SourceChange = "was truncated" | "changed" | "grew" | "is gone";

/** What happened to a file since its stamp was taken; `null`: nothing. */
export function changeSince(path: string, stamp: SourceStamp): SourceChange | null {
  const found = statSync(fsPath(path), { throwIfNoEntry: false });
  if (found === undefined) return "is gone";
  if (found.size < stamp.bytes) return "was truncated";
  if (found.size > stamp.bytes) return "grew";
  return found.mtimeMs === stamp.mtimeMs ? null : "changed";
}

const buffer = Buffer.allocUnsafe(SAMPLE_BYTES);

/** Hashes samples of `[start, end)` of a file: its beginning, its middle and its end. */
function addSamples(hash: Hash, path: string, start: number, end: number): void {
  const file = openSync(fsPath(path), "r");
  try {
    const last = Math.max(start, end - SAMPLE_BYTES);
    const places = new Set([start, start + Math.floor((last - start) / 2), last]);
    for (const place of places) {
      const length = Math.min(SAMPLE_BYTES, end - place);
      const bytesRead = readSync(file, buffer, 0, length, place);
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    closeSync(file);
  }
}

interface SampledPart {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** One hash of the samples of all parts of files; a file that cannot be read counts as empty. */
export function sampleHash(parts: readonly SampledPart[]): string {
  const hash = createHash("sha256");
  for (const { path, start, end } of parts) {
    try {
      if (end > start) addSamples(hash, path, start, end);
    } catch {
      hash.update("unreadable");
    }
  }
  return hash.digest("hex");
}
