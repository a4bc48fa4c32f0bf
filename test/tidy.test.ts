/** The house rules that a machine can hold: floors, cycles, purity, sizes, assumptions. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** From the ground up; a file may import from its own folder and from folders of the floors before it. */
const FLOORS: readonly (readonly string[])[] = [
  ["base"],
  ["regex", "mail"],
  ["cel"],
  ["routing"],
  ["message"],
  ["rehearse", "runner", "store", "queue"],
  ["service"],
  ["outbound"],
  ["smtp", "api", "control"],
  ["simulator"],
  ["cli"],
];
const PURE_FLOORS: readonly string[] = ["base", "regex", "mail", "cel", "routing"];
/** Beside the engine, never part of it. */
const ADAPTERS = new Set(["src/regex/re2-wasm-engine.ts"]);
const ENTRIES = [
  "src/index.ts",
  "src/message/index.ts",
  "src/regex/re2-wasm-engine.ts",
  "src/rehearse/index.ts",
  "src/rehearse/replay-worker.ts",
  "src/rehearse/vitest.ts",
  "src/runner/index.ts",
  "src/runner/worker.ts",
  "src/simulator/index.ts",
  "src/cli/main.ts",
];
const LINES_MAX = 400;

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const sources = new Map(filesUnder("src", /\.ts$/).map((file) => [file, read(file)]));

function importsOf(file: string): { specifier: string; target: string | null }[] {
  const text = sources.get(file) ?? "";
  const found = text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^import\s+"([^"]+)"/gm,
  );
  return [...found].map(([, from, dynamic, bare]) => {
    const specifier = (from ?? dynamic ?? bare)!;
    const target = specifier.startsWith(".")
      ? relative(ROOT, resolve(ROOT, dirname(file), specifier))
      : null;
    return { specifier, target };
  });
}

const folderOf = (file: string): string => file.split("/")[1]!;
/** The files of `src/` itself stand on top: they only list exports. */
const floorOf = (file: string): number =>
  file.split("/").length === 2
    ? FLOORS.length
    : FLOORS.findIndex((folders) => folders.includes(folderOf(file)));

test("there is something to hold", () => {
  expect(sources.size).toBeGreaterThan(20);
});

test("every folder is a floor, and imports only go down", () => {
  const wrong: string[] = [];
  for (const file of sources.keys()) {
    if (floorOf(file) < 0) wrong.push(`${file} is on no floor`);
    for (const { specifier, target } of importsOf(file)) {
      if (target === null) continue;
      if (target === "package.json") continue;
      if (!sources.has(target)) wrong.push(`${file} imports ${specifier}, which is not there`);
      else if (folderOf(target) !== folderOf(file) && floorOf(target) >= floorOf(file)) {
        wrong.push(`${file} does not import down: ${target}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("no import goes in a circle, types included", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(" → "));
    if (done.has(file) || trail.includes(file)) return;
    for (const { target } of importsOf(file)) if (target !== null) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test("every file is reached from an entry point", () => {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const { target } of importsOf(file)) if (target !== null) visit(target);
  };
  for (const entry of ENTRIES) visit(entry);
  expect([...sources.keys()].filter((file) => !reached.has(file))).toEqual([]);
});

describe("the engine is pure", () => {
  const impure =
    /\b(?:process|Buffer|globalThis|setTimeout|setInterval|fetch|performance|console|require)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\./;
  const files = [...sources].filter(
    ([file]) => PURE_FLOORS.includes(folderOf(file)) && !ADAPTERS.has(file),
  );
  test.each(files)("%s", (file, text) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|"[^"\n]*"/g, "");
    expect(impure.exec(code)?.[0]).toBeUndefined();
    const allowed = /^(?:\.|re2js$|@marcbachmann\/cel-js)/;
    expect(
      importsOf(file)
        .map(({ specifier }) => specifier)
        .filter((name) => !allowed.test(name)),
    ).toEqual([]);
  });
});

describe("every source file", () => {
  test.each([...sources])("%s", (file, text) => {
    expect(text.split("\n").length, "lines").toBeLessThanOrEqual(LINES_MAX);
    expect(text.replace(/^#!.*\n/, ""), "opens with a sentence").toMatch(/^\/\*\*/);
    expect(text).not.toMatch(
      /\bexport default\b|\bexport \*|\bTODO\b|\bFIXME\b|@ts-ignore|\bas any\b/,
    );
    expect(file).not.toMatch(/\/(?:utils?|helpers?|common|types)\.ts$/);
  });
});

describe("assumptions", () => {
  const marks = [...sources]
    .flatMap(([file, text]) =>
      [...text.matchAll(/ASSUMPTION\(([^)]*)\): (.*?)\s*(?:\*\/)?$/gm)].map(
        ([, key, statement]) => ({
          key: key!,
          statement: statement!,
          file,
        }),
      ),
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const tests = [
    ...filesUnder("test", /\.test\.ts$/),
    ...filesUnder("corpus/golden", /^expected\.json$/),
  ].map(read);

  test("each key is marked once, in one form", () => {
    const keys = marks.map(({ key }) => key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.filter((key) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(key))).toEqual([]);
    const all = [...sources.values()].join("\n").match(/ASSUMPTION/g) ?? [];
    expect(all.length, "marks that are not `ASSUMPTION(key): statement`").toBe(marks.length);
  });

  test.each(marks)("$key has a test that names it", ({ key }) => {
    expect(tests.some((text) => text.includes(key))).toBe(true);
  });

  test("the README's table is what the code marks (KEEP_ASSUMPTIONS=1 writes it anew)", () => {
    const table = marks.map(({ key, statement }) => `| \`${key}\` | ${statement} |`).join("\n");
    const [begin, end] = ["<!-- assumptions -->", "<!-- end of assumptions -->"];
    const readme = read("README.md");
    const [from, to] = [readme.indexOf(begin) + begin.length, readme.indexOf(end)];
    const wanted = `\n| key | what we assume |\n|---|---|\n${table}\n`;
    if (process.env.KEEP_ASSUMPTIONS === "1" && to >= from) {
      writeFileSync(join(ROOT, "README.md"), readme.slice(0, from) + wanted + readme.slice(to));
    } else {
      expect(readme.slice(from, to)).toBe(wanted);
    }
  });
});
