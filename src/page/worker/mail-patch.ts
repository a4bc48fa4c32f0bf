/** Keeps a worker's copy of the open mail up to date by sending only what changed in the list. */
import type { Mail } from "../model/mail.ts";

export interface MailPatch {
  /** The index from which `added` replace all mails. */
  readonly length: number;
  readonly added: readonly Mail[];
  readonly changed: readonly { readonly index: number; readonly mail: Mail }[];
}

/** `null`: nothing changed. Mails are never changed in place. */
export function patchBetween(before: readonly Mail[], after: readonly Mail[]): MailPatch | null {
  if (before === after) return null;
  const length = Math.min(before.length, after.length);
  const changed: { index: number; mail: Mail }[] = [];
  for (let index = 0; index < length; index++) {
    const mail = after[index]!;
    if (mail !== before[index]) changed.push({ index, mail });
  }
  return { length, added: after.slice(length), changed };
}

export function patched(before: readonly Mail[], patch: MailPatch): readonly Mail[] {
  const kept = before.slice(0, patch.length);
  for (const { index, mail } of patch.changed) kept[index] = mail;
  return [...kept, ...patch.added];
}
