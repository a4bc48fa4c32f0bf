/** Reads the options for the envelope, and checks their addresses. */
import { canonicalAddress, parseAddrSpec, splitAddress } from "../../engine/facts/address.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { styled } from "../../rehearse/words/line.ts";
import { type Given, type Option, optionOf, UsageError } from "../command.ts";
import { type CommandReport, note } from "../report.ts";

export const RECIPIENT_OPTION: Option = {
  name: "recipient",
  value: "address",
  repeats: "repeats",
  description: "recipient of every message (default: those at the domain that it names)",
};
export const SENDER_OPTION: Option = {
  name: "sender",
  value: "address",
  description: "envelope sender, `<>` for a bounce; rules see it if From has no address",
};

/** The recipient that an option gives, canonical; throws a `UsageError` if it is not at the domain. */
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

/** The envelope sender that an option gives, `""` for `<>`; throws a `UsageError` if it is not an address. */
export function readSender(written: string | undefined): string | undefined {
  const sender = written === "<>" ? "" : written;
  if (sender === undefined || sender === "" || parseAddrSpec(sender) !== null) return sender;
  throw new UsageError(
    `sender \`${sender}\` is not an address: write \`user@domain\`, or \`<>\` for the null sender`,
  );
}

/** The envelope from `--recipient` and `--sender`; `undefined` where an option is not given. */
export function envelopeOf(
  given: Given,
  domain: CompiledDomain,
): { readonly recipients: readonly string[] | undefined; readonly sender: string | undefined } {
  const named = given.options.get("recipient")?.map((written) => readRecipient(written, domain));
  return {
    recipients: named === undefined ? undefined : [...new Set(named)],
    sender: readSender(optionOf(given, "sender")),
  };
}

/** Suggests what to do if no message named a recipient at the domain, so that nothing was routed. */
export function hintAtRecipient(
  counted: { readonly decisions: number; readonly withoutRecipient: number },
  { name }: CompiledDomain,
): readonly CommandReport[] {
  const { decisions, withoutRecipient } = counted;
  if (decisions > 0 || withoutRecipient === 0) return [];
  const said = `no message names a recipient at ${name}: give one with \`--recipient somebody@${name}\``;
  return [note([styled("yellow", said)])];
}
