/** Secrets that a seed determines, so that the same run has the same ones. */
import { createHash } from "node:crypto";

/** 32 hex digits. */
export function derivedSecret(seed: string, purpose: string): string {
  return createHash("sha256").update(`${seed} ${purpose}`).digest("hex").slice(0, 32);
}
