/** Addresses that options give, checked. */
import { canonicalAddress, parseAddrSpec, splitAddress } from "../mail/address.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import { UsageError } from "./command.ts";

/** The recipient of an option, canonical; throws a `UsageError` if it is not at the domain. */
export function readRecipient(written: string, domain: CompiledDomain): string {
  if (parseAddrSpec(written) === null) {
    const completed = `${written}@${domain.name}`;
    const example = parseAddrSpec(completed) === null ? `somebody@${domain.name}` : completed;
    throw new UsageError(`recipient \`${written}\` is not an address: write it as \`${example}\``);
  }
  const recipient = canonicalAddress(written);
  if (splitAddress(recipient).domain === domain.name) return recipient;
  throw new UsageError(
    `recipient \`${written}\` is not at \`${domain.name}\`, the domain of the file: name one that is`,
  );
}

/** The envelope sender of an option, `""` for `<>`; throws a `UsageError` if it is no address. */
export function readSender(written: string | undefined): string | undefined {
  const sender = written === "<>" ? "" : written;
  if (sender === undefined || sender === "" || parseAddrSpec(sender) !== null) return sender;
  throw new UsageError(
    `sender \`${sender}\` is not an address: write \`user@domain\`, or \`<>\` for the null sender`,
  );
}
