/** `mailflow check`: everything that is wrong with domain files, and everything proved not to work as it seems to. */
import { findWarnings, type Warning } from "../../rehearse/check/warnings.ts";
import { findLoops, type Loop } from "../../rehearse/proof/loops.ts";
import { allProofs, type Proof } from "../../rehearse/proof/prove.ts";
import { STATES_MAX } from "../../rehearse/proof/prover.ts";
import { inSlices } from "../../rehearse/proof/slices.ts";
import type { Command, Given } from "../command.ts";
import { count } from "../count.ts";
import { type CliIo, EXIT } from "../io.ts";
import { type Line, styled, writeLines } from "../line.ts";
import { type DomainFile, type Place, place, readDomain } from "../read/read-domain.ts";
import { loopText, showProofs } from "../show/diff/show-proofs.ts";
import { showWarning } from "../show/show-warning.ts";

/** States that the search for loops may look at. */
const LOOP_STATES_MAX = 1_000_000;

interface Checked {
  readonly path: string;
  readonly file: DomainFile;
  readonly proofs: readonly Proof[];
  readonly warnings: readonly (Warning & Place)[];
}

async function checkFile(path: string, io: CliIo): Promise<Checked> {
  const file = await readDomain(path, io);
  if (!file.ok) return { path, file, proofs: [], warnings: [] };
  const proofs = await inSlices(allProofs(file, STATES_MAX));
  return { path, file, proofs, warnings: place(file.text, findWarnings(file, proofs)) };
}

function jsonOf({ path, file, proofs, warnings }: Checked, wantsProofs: boolean): object {
  const domain = file.ok ? file.domain.name : null;
  const diagnostics = file.ok ? [] : file.diagnostics;
  const record = { file: path, ok: file.ok, domain, diagnostics };
  return {
    ...record,
    ...(warnings.length > 0 && { warnings }),
    ...(wantsProofs && file.ok && { proofs }),
  };
}

function show({ path, file, proofs, warnings }: Checked, wantsProofs: boolean): Line[] {
  if (!file.ok) {
    return [...file.lines, [styled("bold", `${path}: ${count(file.diagnostics.length, "error")}`)]];
  }
  const { name, engine, aliases, rules } = file.domain;
  const routing = engine === null ? "routing disabled" : `routing engine ${engine}`;
  const counts = `${count(aliases.length, "alias", "aliases")}, ${count(rules.length, "rule")}`;
  const warned = warnings.length === 0 ? "" : `, ${count(warnings.length, "warning")}`;
  return [
    ...warnings.flatMap((warning) => showWarning(path, warning, file.config)),
    ...(wantsProofs ? showProofs(proofs, file.domain) : []),
    [styled("bold", name), `: ${routing}, ${counts}, `, styled("green", "no errors"), warned],
  ];
}

function showLoops(loops: readonly Loop[]): Line[] {
  return loops.map((loop): Line => [styled("yellow", `warning[domain/loop] ${loopText(loop)}`)]);
}

async function runCheck({ arguments: paths, options }: Given, io: CliIo): Promise<number> {
  const wantsProofs = options.has("proofs");
  const checked: Checked[] = [];
  for (const path of paths) checked.push(await checkFile(path, io));
  const domains = checked.flatMap(({ file }) => (file.ok ? [file] : []));
  const loops = domains.length < 2 ? [] : await inSlices(findLoops(domains, LOOP_STATES_MAX));
  if (options.has("json")) {
    const records = checked.map((each) => jsonOf(each, wantsProofs));
    const all = records.length === 1 ? records[0]! : { files: records, loops };
    await io.stdout.write(`${JSON.stringify(all)}\n`);
  } else {
    const lines = checked.flatMap((each) => show(each, wantsProofs));
    await writeLines(io.stdout, io.env, [...lines, ...showLoops(loops)]);
  }
  return domains.length === checked.length ? EXIT.ok : EXIT.errorsFound;
}

export const checkCommand: Command = {
  name: "check",
  summary: "lists everything that is wrong with a domain file",
  arguments: [
    {
      name: "domain.json",
      count: "many",
      description: "domains with their aliases and rules, as the API returns them",
    },
  ],
  options: [
    {
      name: "proofs",
      description: "list every question: proved, refuted by a message, or unknown",
    },
    {
      name: "json",
      description:
        "one JSON object: file, ok, domain, diagnostics, warnings; of several, files and loops",
    },
  ],
  notes: [
    "",
    "Each error is reported with its line and column in the file. A diagnostic in --json has code, message,",
    "path, line, column and, where it speaks of a part of a text, that text's span (UTF-16 code units).",
    "Each warning is proved from the file alone, such as a rule that no message can reach because earlier ones",
    "take all that it matches. Several domains are also searched for mail that they send round in a circle.",
    "Warnings do not change the exit code.",
    "Exit code: 0 no errors, 1 errors, 2 wrong use or an unreadable file.",
  ],
  examples: [
    "mailflow check example.com.json",
    "mailflow check example.com.json --proofs",
    "mailflow check shop.json office.json --json",
  ],
  run: runCheck,
};
