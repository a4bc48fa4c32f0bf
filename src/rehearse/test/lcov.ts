/** Coverage in the tracefile format of lcov (geninfo(1)): rules are functions; scopes and CEL branches are branches. */
import type { Path } from "../../base/diagnostic.ts";
import type { Coverage, EntryCoverage } from "./coverage.ts";

interface Branch {
  readonly line: number;
  /** `-`: never evaluated. */
  readonly taken: number | "-";
}

function pathOf({ kind, index }: EntryCoverage, ...rest: Path): Path {
  return [kind === "rule" ? "rules" : "aliases", index, ...rest];
}

function branchesOf(entry: EntryCoverage, lineOf: (path: Path) => number): Branch[] {
  const ofScopes = entry.scopes.map(({ hits }, index): Branch => {
    const line = lineOf(pathOf(entry, "config", "scopes", index));
    return { line, taken: entry.tried === 0 ? "-" : hits };
  });
  const ofConditions = entry.conditions.flatMap(({ timesTrue, timesFalse }): Branch[] => {
    const line = lineOf(pathOf(entry, "config", "expression"));
    if (timesTrue + timesFalse === 0)
      return [
        { line, taken: "-" },
        { line, taken: "-" },
      ];
    return [
      { line, taken: timesTrue },
      { line, taken: timesFalse },
    ];
  });
  return [...ofScopes, ...ofConditions];
}

/** The paths whose lines `lcovOf` asks for. */
export function lcovPaths({ entries }: Coverage): readonly Path[] {
  return entries.flatMap((entry) => [
    pathOf(entry),
    pathOf(entry, "config", "expression"),
    ...entry.scopes.map((_, index) => pathOf(entry, "config", "scopes", index)),
  ]);
}

/** A record is lines: a line break in a name would begin another. */
function inLine(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f]/g, "·");
}

/** One record; `file` is the domain file as viewers open it, `lineOf` returns the line of a value. */
export function lcovOf(coverage: Coverage, file: string, lineOf: (path: Path) => number): string {
  const lines = ["TN:", `SF:${inLine(file)}`];
  const hitsByLine = new Map<number, number>();
  for (const entry of coverage.entries) {
    const line = lineOf(pathOf(entry));
    const name = inLine(`${entry.kind} ${entry.id}`);
    lines.push(`FN:${line},${name}`, `FNDA:${entry.hits},${name}`);
    hitsByLine.set(line, (hitsByLine.get(line) ?? 0) + entry.hits);
  }
  lines.push(`FNF:${coverage.hits.total}`, `FNH:${coverage.hits.covered}`);
  const branches = coverage.entries.flatMap((entry, block) =>
    branchesOf(entry, lineOf).map((branch, index) => ({ ...branch, block, index })),
  );
  for (const { line, block, index, taken } of branches) {
    lines.push(`BRDA:${line},${block},${index},${taken}`);
  }
  const taken = branches.filter((branch) => branch.taken !== "-" && branch.taken > 0).length;
  lines.push(`BRF:${branches.length}`, `BRH:${taken}`);
  const byLine = [...hitsByLine].sort(([a], [b]) => a - b);
  for (const [line, hits] of byLine) lines.push(`DA:${line},${hits}`);
  lines.push(`LF:${byLine.length}`, `LH:${byLine.filter(([, hits]) => hits > 0).length}`);
  return `${lines.join("\n")}\nend_of_record\n`;
}
