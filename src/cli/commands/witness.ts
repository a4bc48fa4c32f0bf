/** `mailflow witness`: for each rule, a message that it decides, or the proof that there is none. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { nearestName } from "../../base/nearest-name.ts";
import { destinationText } from "../../rehearse/outcome.ts";
import { type Owner, ownerKey } from "../../rehearse/proof/ladder.ts";
import { decisionOn, factsOf } from "../../rehearse/proof/message/witness-message.ts";
import { allProofs, type Proof, witness } from "../../rehearse/proof/prove.ts";
import { Prover, STATES_MAX } from "../../rehearse/proof/prover.ts";
import { atOnce, inSlices } from "../../rehearse/proof/slices.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { count } from "../count.ts";
import { type CliIo, EXIT } from "../io.ts";
import { writeLines } from "../line.ts";
import { writeFailure } from "../read/file-failure.ts";
import { ownerText, showProofs } from "../show/diff/show-proofs.ts";
import { usableDomain } from "./diff.ts";

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
  const hint = meant === undefined ? "name an active one by its id" : `did you mean \`${meant}\`?`;
  throw new UsageError(`the domain routes by no rule or alias \`${written}\`: ${hint}`);
}

/** A file name: characters outside letters, digits, `_`, `.` and `-` become dashes. */
function fileName(owner: Owner): string {
  const name = owner.kind === "end" ? "fallback" : owner.id;
  return name.replace(/[^\w.-]+/g, "-").replace(/^[.-]+/, "") || owner.kind;
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

/** Writes a message for each rule, and a suite with their expected results. */
async function writeSuite(
  folder: string,
  domainPath: string,
  rehearsed: RehearsedDomain,
  proofs: readonly Proof[],
  io: CliIo,
): Promise<number> {
  const shown = proofs.filter((proof) => proof.verdict === "refuted");
  const root = resolve(io.cwd, folder);
  const names = new Set<string>();
  const tests: object[] = [];
  const suite = `${basename(domainPath).replace(/\.json$/, "")}.mailtest.json`;
  try {
    await mkdir(root, { recursive: true });
    for (const proof of shown) {
      const wanted = fileName(proof.question.of);
      const name = names.has(wanted) ? `${wanted}-${names.size}` : wanted;
      names.add(name);
      await writeFile(join(root, `${name}.eml`), proof.message.text);
      tests.push({
        name: ownerText(proof.question.of, rehearsed.domain),
        message: `${name}.eml`,
        recipient: proof.message.recipient,
        expect: expectation(proof, rehearsed),
      });
    }
    const domain = relative(root, resolve(io.cwd, domainPath)).replaceAll("\\", "/");
    await writeFile(join(root, suite), `${JSON.stringify({ domain, tests }, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(writeFailure(error, folder));
  }
  return tests.length;
}

async function showOne(
  written: string,
  rehearsed: RehearsedDomain,
  { options }: Given,
  io: CliIo,
): Promise<number> {
  const owner = ownerOf(written, rehearsed);
  const found = await witness(rehearsed, owner);
  if (options.has("json")) await io.stdout.write(`${JSON.stringify({ of: owner, ...found })}\n`);
  else if (found.kind === "message") {
    await io.stdout.write(found.message.text.replaceAll("\r\n", "\n").replace(/\n*$/, "\n"));
  } else {
    const proof: Proof =
      found.kind === "none"
        ? {
            question: { kind: "never-reached", of: owner },
            verdict: "proved",
            coveredBy: found.coveredBy,
            cover: "some",
          }
        : { question: { kind: "never-reached", of: owner }, verdict: "unknown", why: found.why };
    await writeLines(io.stdout, io.env, showProofs([proof], rehearsed.domain));
  }
  return found.kind === "message" ? EXIT.ok : EXIT.errorsFound;
}

async function runWitness(given: Given, io: CliIo): Promise<number> {
  const [path, written, second] = given.arguments;
  if (second !== undefined)
    throw new UsageError(`\`${second}\` is one argument too many: ask for one rule, or for all`);
  const rehearsed = await usableDomain(path!, io);
  if (rehearsed === null) return EXIT.unusable;
  const folder = given.options.get("write")?.[0];
  if (written !== undefined && folder === undefined) return showOne(written, rehearsed, given, io);
  const all = await inSlices(allProofs(rehearsed, STATES_MAX));
  const asked = written === undefined ? null : ownerKey(ownerOf(written, rehearsed));
  const proofs = all.filter(({ question }) => asked === null || ownerKey(question.of) === asked);
  if (given.options.has("json")) await io.stdout.write(`${JSON.stringify(proofs)}\n`);
  else await writeLines(io.stdout, io.env, showProofs(proofs, rehearsed.domain));
  if (folder !== undefined) {
    const tests = await writeSuite(folder, path!, rehearsed, proofs, io);
    await writeLines(io.stderr, io.env, [[`${count(tests, "test")} written to ${folder}`]]);
  }
  return proofs.every(({ verdict }) => verdict === "refuted") ? EXIT.ok : EXIT.errorsFound;
}

export const witnessCommand: Command = {
  name: "witness",
  summary: "shows for each rule a message that it decides, or the proof that there is none",
  arguments: [
    {
      name: "domain.json",
      count: "one",
      description: "the domain with its aliases and rules, as the API returns them",
    },
    {
      name: "rule",
      count: "any",
      description: "the id of a rule or alias, or `fallback`; default: all of them",
    },
  ],
  options: [
    { name: "write", value: "folder", description: "write the messages and a test suite of them" },
    { name: "json", description: "one JSON value: of one rule an object, of all an array" },
  ],
  notes: [
    "",
    "Of one rule the message itself is written, as a mail client would read it from a file. Each message has been",
    "read back and resolved: the rule does decide it.",
    "Exit code: 0 a message for each, 1 none for one of them, 2 wrong use or a domain with errors.",
  ],
  examples: [
    "mailflow witness example.com.json",
    "mailflow witness example.com.json invoices > invoice.eml",
    "mailflow witness example.com.json --write tests/",
  ],
  run: runWitness,
};
