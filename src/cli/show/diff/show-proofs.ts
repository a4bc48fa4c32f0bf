/** Shows proofs for people: each question, its answer, and the message that shows it. */
import type { CompiledDomain } from "../../../engine/routing/compile-domain.ts";
import type { Outcome } from "../../../rehearse/outcome.ts";
import type { FullComparison, OpenPair } from "../../../rehearse/proof/compare-all.ts";
import type { Owner } from "../../../rehearse/proof/ladder.ts";
import type { Loop } from "../../../rehearse/proof/loops.ts";
import { factsOf, type Message } from "../../../rehearse/proof/message/witness-message.ts";
import type { Proof } from "../../../rehearse/proof/prove.ts";
import { count } from "../../../rehearse/words/count.ts";
import { cut, quoted } from "../../../rehearse/words/excerpt.ts";
import { type Line, styled } from "../../../rehearse/words/line.ts";
import { ACTION_WORDS } from "../show-decision.ts";

/** `rule orders`, `alias sales*`, `the fallback address`. */
export function ownerText(owner: Owner, { aliases, fallback, engine }: CompiledDomain): string {
  if (owner.kind === "end") {
    return engine === "rules" && fallback !== null ? "the fallback address" : "no match";
  }
  if (owner.kind === "rule") return `rule ${owner.id}`;
  return `alias ${aliases.find(({ id }) => id === owner.id)?.matcher.alias ?? owner.id}`;
}

/** Fields that every message of a witness has. */
const ORDINARY_FIELDS = new Set(
  "from to subject date message-id mime-version content-type content-transfer-encoding".split(" "),
);

/** What rules see of a message, on one line. */
export function messageText(message: Message): string {
  const { recipient, sender, subject, body, headers, attachments, size } = factsOf(message);
  const others = [...(headers ?? [])].filter(([name]) => !ORDINARY_FIELDS.has(name));
  const type = headers?.get("content-type")?.[0] ?? "";
  const parts = [
    `to ${recipient}`,
    sender === "" ? "without From" : `from ${sender}`,
    `subject ${quoted(subject ?? "")}`,
    ...others.map(([name, values]) => `${name}: ${cut(values.join(", "))}`),
    ...(type.startsWith("text/plain") || type.startsWith("multipart/mixed")
      ? []
      : [`content-type: ${cut(type)}`]),
    ...(body === "Hello" ? [] : [`body ${quoted(body ?? "")}`]),
    ...(attachments ?? []).map(
      (file) => `with ${file.filename} (${file.contentType}, ${count(file.size, "octet")})`,
    ),
    ...((size ?? 0) > LARGE_OCTETS ? [`of ${count(size ?? 0, "octet")}`] : []),
  ];
  return parts.join(", ");
}

/** From this size on, a message's size is shown. */
const LARGE_OCTETS = 10_000;

function listed(owners: readonly Owner[], domain: CompiledDomain): string {
  const names = owners.map((owner) => ownerText(owner, domain));
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

const STYLES = { proved: "yellow", refuted: "green", unknown: "dim" } as const;

function showProof(proof: Proof, domain: CompiledDomain): Line[] {
  const claim = `no message reaches ${ownerText(proof.question.of, domain)}`;
  const head: Line = ["  ", styled(STYLES[proof.verdict], proof.verdict.padEnd(9)), claim];
  if (proof.verdict === "unknown") return [head, ["           ", proof.why]];
  if (proof.verdict === "refuted") return [head, ["           ", messageText(proof.message)]];
  const { coveredBy } = proof;
  const why =
    coveredBy.length === 0
      ? "its conditions contradict each other"
      : `covered by ${listed(coveredBy, domain)}`;
  return [head, ["           ", why]];
}

export function showProofs(proofs: readonly Proof[], domain: CompiledDomain): Line[] {
  return proofs.flatMap((proof) => showProof(proof, domain));
}

export function loopText({ addresses }: Loop): string {
  return `mail goes round in a circle: ${[...addresses, addresses[0]!].join(" → ")}: forward one of them elsewhere`;
}

function wayText({ action, destinations }: Outcome): string {
  return action === "forward" ? `to ${destinations.join(", ")}` : ACTION_WORDS[action].word;
}

function showOpen(
  { from, to, why }: OpenPair,
  [old, changed]: readonly [CompiledDomain, CompiledDomain],
): Line[] {
  return [
    [`  unknown  whether any mail moves from ${ownerText(from, old)} to ${ownerText(to, changed)}`],
    ["           ", why],
  ];
}

/** The comparison of what two versions of a domain do with all messages. */
export function showFullComparison(
  { verdict, differences, open }: FullComparison,
  domains: readonly [CompiledDomain, CompiledDomain],
): Line[] {
  const [old, changed] = domains;
  if (verdict === "equal") {
    return [[styled("green", "proved equal"), ": both route every message the same way"]];
  }
  return [
    ...differences.flatMap(({ from, to, before, after, message }): Line[] => [
      [styled("bold", `from ${ownerText(from, old)} to ${ownerText(to, changed)}`)],
      ["  message  ", messageText(message)],
      ["  was      ", wayText(before)],
      ["  now      ", wayText(after)],
    ]),
    ...open.flatMap((pair) => showOpen(pair, domains)),
    differences.length > 0
      ? [styled("bold", `not equal: ${count(differences.length, "kind")} of difference`)]
      : [styled("bold", "not proved equal, and no difference found")],
  ];
}
