/** `mailflow witness`: for each rule, a message that it decides, or a proof that there is none. */
import { mkdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { nearestName } from "../../base/nearest-name.ts";
import { parseAddrSpec } from "../../engine/facts/address.ts";
import { destinationText } from "../../rehearse/outcome.ts";
import { type Owner, ownerKey } from "../../rehearse/proof/ladder.ts";
import { decisionOn, factsOf } from "../../rehearse/proof/message/witness-message.ts";
import { allProofs, type Proof, type Witness, witness } from "../../rehearse/proof/prove.ts";
import { Prover, STATES_MAX } from "../../rehearse/proof/prover.ts";
import { atOnce, inSlices } from "../../rehearse/proof/slices.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { count } from "../../rehearse/words/count.ts";
import type { Line } from "../../rehearse/words/line.ts";
import { type Command, type Given, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { writeFailure } from "../read/files.ts";
import { DOMAIN_ARGUMENT, DOMAIN_FUEL, usableDomain } from "../read/read-domain.ts";
import { note, type Reports } from "../report.ts";
import { ownerText, showProofs } from "../show/diff/show-proofs.ts";
import { existsAlready, writeNew } from "../write-new.ts";

/** The rule or alias with an id, or the alias itself; `fallback` is the fallback address. */
function ownerOf(written: string, rehearsed: RehearsedDomain): Owner {
  const { rungs } = atOnce(Prover.of(rehearsed)).ladder;
  const owners = rungs.map(({ owner }) => owner);
  const found =
    owners.find((owner) => owner.kind !== "end" && owner.id === written) ??
    owners.find((owner) => ownerText(owner, rehearsed.domain) === `alias ${written}`) ??
    owners.find((owner) => owner.kind === "end" && written === "fallback");
  if (found !== undefined) return found;
  const names = owners.map((owner) => (owner.kind === "end" ? "fallback" : owner.id));
  const meant = nearestName(written, names);
  const hint = meant === undefined ? "write the id of one" : `did you mean \`${meant}\`?`;
  throw new UsageError(`the domain has no active rule or alias \`${written}\`: ${hint}`);
}

/** Units of a file name before its number and ending. */
const NAME_UNITS_MAX = 100;

/** A file name: characters outside letters, digits, `_`, `.` and `-` become dashes. */
function fileName(owner: Owner): string {
  const name = owner.kind === "end" ? "fallback" : owner.id;
  const plain = name.replace(/[^\w.-]+/g, "-").replace(/^[.-]+/, "");
  return plain.slice(0, NAME_UNITS_MAX) || owner.kind;
}

type Shown = Extract<Proof, { readonly verdict: "refuted" }>;

function expectation({ message, question }: Shown, rehearsed: RehearsedDomain): object {
  const { action, destinations, reason } = decisionOn(rehearsed.domain, factsOf(message));
  const { of } = question;
  const by = of.kind === "end" ? { reason } : { [of.kind]: of.id };
  return {
    ...by,
    action,
    ...(action === "forward" && { destinations: destinations.map(destinationText) }),
  };
}

/** A name that no other message has, whatever the case of its letters. */
function freshName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let nth = 2; taken.has(name.toLowerCase()); nth++) name = `${wanted}-${nth}`;
  taken.add(name.toLowerCase());
  return `${name}.eml`;
}

/** What `--write` wrote, and the owners whose messages have a recipient that no test and no server takes, such as `.@a.example`. */
interface WrittenSuite {
  readonly tests: number;
  readonly leftOut: readonly Owner[];
}

/** Writes a message for each rule, and a suite with their expected results: all of them, or none if one is there already. */
async function writeSuite(
  folder: string,
  domainPath: string,
  rehearsed: RehearsedDomain,
  proofs: readonly Proof[],
  existing: "refuse" | "overwrite",
  io: CliIo,
): Promise<WrittenSuite> {
  const root = resolve(io.cwd, folder);
  const files = new Map<string, string>();
  const taken = new Set<string>();
  const tests: object[] = [];
  const leftOut: Owner[] = [];
  for (const proof of proofs) {
    if (proof.verdict !== "refuted") continue;
    if (parseAddrSpec(proof.message.recipient) === null) {
      leftOut.push(proof.question.of);
      continue;
    }
    const message = freshName(fileName(proof.question.of), taken);
    files.set(message, proof.message.text);
    tests.push({
      name: ownerText(proof.question.of, rehearsed.domain),
      message,
      recipient: proof.message.recipient,
      expect: expectation(proof, rehearsed),
    });
  }
  const domain = relative(root, resolve(io.cwd, domainPath)).replaceAll("\\", "/");
  const suite = `${basename(domainPath).replace(/\.json$/, "")}.mailtest.json`;
  files.set(suite, `${JSON.stringify({ domain, tests }, null, 2)}\n`);
  if (existing === "refuse") {
    for (const name of files.keys()) {
      const isThere = await stat(join(root, name)).catch(() => null);
      if (isThere !== null) throw existsAlready(join(folder, name));
    }
  }
  await mkdir(root, { recursive: true }).catch((error: unknown) => {
    throw new UsageError(writeFailure(error, folder));
  });
  for (const [name, text] of files) await writeNew(join(folder, name), text, existing, io.cwd);
  return { tests: tests.length, leftOut };
}

/** The message itself, as a mail client would read it from a file, or why there is none. */
function showWitness(found: Witness, of: Owner, { domain }: RehearsedDomain): Line[] | string {
  const question = { kind: "never-reached", of } as const;
  switch (found.kind) {
    case "message":
      return found.message.text.replaceAll("\r\n", "\n").replace(/\n*$/, "\n");
    case "none": {
      const { coveredBy } = found;
      return showProofs([{ question, verdict: "proved", coveredBy, cover: "some" }], domain);
    }
    case "unknown":
      return showProofs([{ question, verdict: "unknown", why: found.why }], domain);
  }
}

async function* reportOne(written: string, rehearsed: RehearsedDomain): Reports {
  const owner = ownerOf(written, rehearsed);
  const found = await witness(rehearsed, owner);
  yield {
    text: () => showWitness(found, owner, rehearsed),
    json: () => ({ of: owner, ...found }),
  };
  return found.kind === "message" ? EXIT.ok : EXIT.errorsFound;
}

async function* runWitness(given: Given, io: CliIo): Reports {
  const [path, written, second] = given.arguments;
  if (second !== undefined)
    throw new UsageError(`\`${second}\` is one argument too many: ask for one rule, or for all`);
  const rehearsed = await usableDomain(path!, given, io);
  const folder = optionOf(given, "write");
  if (written !== undefined && folder === undefined) return yield* reportOne(written, rehearsed);
  const all = await inSlices(allProofs(rehearsed, STATES_MAX));
  const asked = written === undefined ? null : ownerKey(ownerOf(written, rehearsed));
  const proofs = all.filter(({ question }) => asked === null || ownerKey(question.of) === asked);
  if (folder !== undefined) {
    const existing = given.options.has("force") ? "overwrite" : "refuse";
    const { tests, leftOut } = await writeSuite(folder, path!, rehearsed, proofs, existing, io);
    yield note([`${count(tests, "test")} written to ${folder}`]);
    for (const of of leftOut) {
      const owner = ownerText(of, rehearsed.domain);
      yield note([`no test of ${owner}: its message is for a recipient that is not an address`]);
    }
  }
  yield { text: () => showProofs(proofs, rehearsed.domain), json: () => proofs };
  return proofs.every(({ verdict }) => verdict === "refuted") ? EXIT.ok : EXIT.errorsFound;
}

export const witnessCommand: Command = {
  name: "witness",
  summary: "shows for each rule a message that it decides, or proves that there is none",
  arguments: [
    DOMAIN_ARGUMENT,
    {
      name: "rule",
      count: "any",
      description: "the id of a rule or alias, or `fallback` (default: all of them)",
    },
  ],
  options: [
    {
      name: "write",
      value: "folder",
      description: "write the messages, and tests that expect these decisions",
    },
    { name: "force", needs: ["write"], description: "overwrite files of --write" },
    DOMAIN_FUEL,
    { name: "json", description: "one JSON value: an object for one rule, an array for all" },
  ],
  notes: [
    "",
    "For one rule, witness prints the message itself, as it would be in a file. Each message was read back and",
    "routed: the rule does decide it.",
    "Exit code: 0 a message for each rule, 1 no message for one of them, 2 wrong use or a domain with errors.",
  ],
  examples: [
    "mailflow witness example.com.json",
    "mailflow witness example.com.json invoices > invoice.eml",
    "mailflow witness example.com.json --write tests/",
  ],
  run: runWitness,
};
