/** `mailflow check`: all errors in domain files, and warnings about rules that provably do not do what they seem to. */
import { formatPath } from "../../base/diagnostic.ts";
import { type TextPlace, textAt } from "../../base/render-diagnostic.ts";
import { findWarnings, type Warning } from "../../rehearse/check/warnings.ts";
import { findLoops } from "../../rehearse/proof/loops.ts";
import { allProofs, type Proof } from "../../rehearse/proof/prove.ts";
import { STATES_MAX } from "../../rehearse/proof/prover.ts";
import { inSlices } from "../../rehearse/proof/slices.ts";
import { count } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import type { Command, Given } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { DOMAIN_FUEL, type DomainFile, place, readDomain } from "../read/read-domain.ts";
import { note, type Reports } from "../report.ts";
import { loopText, showProofs } from "../show/diff/show-proofs.ts";
import { excerptLines, showFinding } from "../show/show-finding.ts";

/** States that the search for loops may look at. */
const LOOP_STATES_MAX = 1_000_000;

interface CheckedFile {
  readonly path: string;
  readonly file: DomainFile;
  readonly proofs: readonly Proof[];
  readonly warnings: readonly (Warning & TextPlace)[];
}

async function checkFile(path: string, given: Given, io: CliIo): Promise<CheckedFile> {
  const file = await readDomain(path, given, io);
  if (!file.ok) return { path, file, proofs: [], warnings: [] };
  const proofs = await inSlices(allProofs(file, STATES_MAX));
  return { path, file, proofs, warnings: place(file.text, findWarnings(file, proofs)) };
}

function jsonOf({ path, file, proofs, warnings }: CheckedFile, wantsProofs: boolean): object {
  return {
    file: path,
    ok: file.ok,
    domain: file.ok ? file.domain.name : null,
    diagnostics: file.ok ? [] : file.diagnostics,
    ...(warnings.length > 0 && { warnings }),
    ...(wantsProofs && file.ok && { proofs }),
  };
}

function showWarning(file: string, warning: Warning & TextPlace, config: unknown): Line[] {
  const { code, message, path, span } = warning;
  const said = styled("yellow", `warning[${code}] ${formatPath(path)}: ${message}`);
  const excerpt = span === undefined ? [] : excerptLines(textAt(config, path) ?? "", span);
  return showFinding(file, warning, said, excerpt);
}

function show({ path, file, proofs, warnings }: CheckedFile, wantsProofs: boolean): Line[] {
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

async function* runCheck(given: Given, io: CliIo): Reports {
  const { arguments: paths, options } = given;
  const wantsProofs = options.has("proofs");
  const checked: CheckedFile[] = [];
  for (const path of paths) checked.push(await checkFile(path, given, io));
  const domains = checked.flatMap(({ file }) => (file.ok ? [file] : []));
  const { loops, isComplete } =
    domains.length < 2
      ? { loops: [], isComplete: true }
      : await inSlices(findLoops(domains, LOOP_STATES_MAX));
  yield {
    text: () => [
      ...checked.flatMap((each) => show(each, wantsProofs)),
      ...loops.map((loop) => [styled("yellow", `warning[domain/loop] ${loopText(loop)}`)]),
    ],
    json: () => {
      const files = checked.map((each) => jsonOf(each, wantsProofs));
      return files.length === 1 ? files[0] : { files, loops };
    },
  };
  if (!isComplete) {
    yield note(["there may be more circles of mail: the search for them was ended at its limit"]);
  }
  return domains.length === checked.length ? EXIT.ok : EXIT.errorsFound;
}

export const checkCommand: Command = {
  name: "check",
  summary: "lists all errors in domain files, and warnings that are certain",
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
      description: "show for each rule whether a message reaches it: proved, refuted or unknown",
    },
    DOMAIN_FUEL,
    {
      name: "json",
      description:
        "one JSON object: file, ok, domain, diagnostics, warnings; for several files: files, loops",
    },
  ],
  notes: [
    "",
    "Each error is shown with its line and column in the file. In --json a diagnostic has code, message, path,",
    "line and column. If it concerns a part of a text, it also has the span in that text (UTF-16 code units).",
    "Each warning is proved from the files alone. For example: no message can reach a rule, because earlier rules",
    "take every message that it matches. With several domains, check also looks for mail that goes round in a circle.",
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
