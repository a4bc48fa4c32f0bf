/** The house rules that a machine can hold: floors, cycles, purity, sizes, assumptions. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { RULE_TYPES } from "../src/engine/routing/rules/rule-types.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/**
 * From the ground up. A room is a folder with all that is below it, or a few such folders; a file may import from its own room
 * and from the rooms of the floors before it.
 */
const FLOORS: readonly (readonly (readonly string[])[])[] = [
  [["base"]],
  [["engine/pattern"], ["engine/facts"]],
  [["engine/cel"]],
  [["engine/routing"]],
  [["message"]],
  [["mailbox"]],
  [["rehearse"], ["runner"], ["simulator/store"]],
  [["simulator/queue"]],
  [["simulator/model", "simulator/receive", "simulator/deliver", "simulator/send"]],
  [["simulator/outbound"]],
  [["simulator/smtp"], ["simulator/api"]],
  [["simulator/control"]],
  [["simulator"], ["page"]],
  [["cli"]],
];
const PURE_ROOMS = ["base", "engine"];
/** How many files a folder may hold. Lower it when the largest folder shrinks. */
const FOLDER_FILES_MAX = 15;
const TEST_FOLDER_FILES_MAX = 20;
/** Beside the engine, never part of it. */
const ADAPTERS = new Set([
  "src/engine/pattern/engines/re2-wasm-engine.ts",
  // Copies text by a buffer of Node where there is one: no effect, and thirty times as fast.
  "src/engine/pattern/search/low-bytes.ts",
]);
const ENTRIES = [
  "src/index.ts",
  "src/message/index.ts",
  "src/mailbox/index.ts",
  "src/engine/pattern/engines/re2-wasm-engine.ts",
  "src/rehearse/index.ts",
  "src/rehearse/replay/replay-worker.ts",
  "src/rehearse/test/vitest.ts",
  "src/runner/index.ts",
  "src/runner/worker.ts",
  "src/simulator/index.ts",
  "src/cli/main.ts",
  "src/page/main.ts",
  // The page's build puts them in the place of a library, and of Node's `Buffer`.
  "src/page/shim/entities.ts",
  "src/page/shim/buffer.ts",
];
const LINES_MAX = 400;

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const sources = new Map(filesUnder("src", /(?<!\.d)\.ts$/).map((file) => [file, read(file)]));

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

/** The room of a file: the longest listed folder that holds it. The files of `src/` itself stand on top: they only list exports. */
function roomOf(file: string): { readonly floor: number; readonly room: string } {
  if (file.split("/").length === 2) return { floor: FLOORS.length, room: "" };
  let best = { floor: -1, room: "", length: -1 };
  FLOORS.forEach((rooms, floor) => {
    for (const folders of rooms) {
      const folder = folders.find((name) => file.startsWith(`src/${name}/`));
      if (folder === undefined || folder.length <= best.length) continue;
      best = { floor, room: folders.join(), length: folder.length };
    }
  });
  return best;
}

test("there is something to hold", () => {
  expect(sources.size).toBeGreaterThan(20);
});

test("every folder is a floor, and imports only go down", () => {
  const wrong: string[] = [];
  for (const file of sources.keys()) {
    const own = roomOf(file);
    if (own.floor < 0) wrong.push(`${file} is on no floor`);
    for (const { specifier, target } of importsOf(file)) {
      if (target === null) continue;
      if (!/^src\/.*\.ts$/.test(target)) continue;
      if (!sources.has(target)) wrong.push(`${file} imports ${specifier}, which is not there`);
      else {
        const other = roomOf(target);
        if (other.room !== own.room && other.floor >= own.floor) {
          wrong.push(`${file} does not import down: ${target}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("no folder is crowded", () => {
  const counts = new Map<string, number>();
  for (const file of [...sources.keys(), ...filesUnder("test", /\.ts$/)]) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  const max = (folder: string): number =>
    folder.startsWith("src") ? FOLDER_FILES_MAX : TEST_FOLDER_FILES_MAX;
  expect([...counts].filter(([folder, count]) => count > max(folder))).toEqual([]);
});

/** Files under this many lines belong into their only importer, unless they name an idea. */
const SMALL_LINES = 30;
/** Small files with one importer, and the idea that each names. */
const IDEAS: ReadonlyMap<string, string> = new Map([
  ["src/engine/cel/functions/functions-optionals.ts", "a table of functions, beside its like"],
  ["src/engine/pattern/search/scan-code.ts", "generated from scan.wat"],
  ["src/message/mime/meta-charset.ts", "the charset that an HTML text declares"],
  ["src/message/mime/mime-parts.ts", "the parts of a message in memory; its rival reads a stream"],
  ["src/message/text/ibm-037.ts", "the table of a charset"],
  ["src/page/example.ts", "what the page shows at first"],
  ["src/simulator/api/resources/present/records.ts", "how both versions show DNS records"],
  ["src/simulator/api/resources/present/template.ts", "how both versions show a template"],
  ["src/simulator/api/resources/rows/save-warnings.ts", "the query that asks for warnings"],
  ["src/simulator/model/warnings.ts", "the warnings about one saved entry"],
  ["src/simulator/receive/route-inside.ts", "mail from one domain of the account to another"],
  ["src/simulator/store/sql/prepare-namespace.ts", "what a database needs before any table"],
]);

test("no small file has only one importer, unless it names an idea", () => {
  const importers = new Map<string, Set<string>>();
  for (const file of sources.keys()) {
    for (const { target } of importsOf(file)) {
      if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  const small = [...sources]
    .filter(([, text]) => text.split("\n").length - 1 < SMALL_LINES)
    .map(([file]) => file)
    .filter((file) => !ENTRIES.includes(file) && (importers.get(file)?.size ?? 0) < 2);
  expect(small).toEqual([...IDEAS.keys()]);
});

/** Types that two files export under one name, and why they may. */
const SAME_NAME: ReadonlyMap<string, string> = new Map([
  ["ClockReading", "the answer of the control plane, as the page reads it"],
]);

test("no exported type name means two things", () => {
  const files = new Map<string, string[]>();
  for (const [file, text] of sources) {
    for (const [, name] of text.matchAll(
      /^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
    )) {
      files.set(name!, [...(files.get(name!) ?? []), file]);
    }
  }
  const shared = [...files].filter(([, of]) => of.length > 1).map(([name]) => name);
  expect(shared.sort()).toEqual([...SAME_NAME.keys()]);
});

/** The page shows what the service has: its own types may have the names of the service's. */
test("no unexported type takes the name of one that another file exports", () => {
  const declarations = [...sources]
    .filter(([file]) => !file.startsWith("src/page/"))
    .flatMap(([file, text]) =>
      [...text.matchAll(/^(export )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
        ([, exported, name]) => ({ file, name: name!, isExported: exported !== undefined }),
      ),
    );
  const exported = new Set(declarations.filter((one) => one.isExported).map(({ name }) => name));
  const local = declarations.filter((one) => !one.isExported && exported.has(one.name));
  expect(local.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test("only its own files, the registry and the tools know a rule type; the page has a form for each", () => {
  const names = Object.keys(RULE_TYPES);
  const asks = new RegExp(
    `\\btype [!=]== "(?:${names.join("|")})"|\\bswitch \\((?:\\w+\\.)?type\\)`,
  );
  const lists = names.map((name) => new RegExp(`^\\s+(?:readonly )?${name}(?:\\(|:)`, "m"));
  const files = [...sources]
    .filter(([, text]) => asks.test(text) || lists.every((key) => key.test(text)))
    .map(([file]) => file);
  expect(files.filter((file) => !file.startsWith("src/page/"))).toEqual([
    "src/engine/routing/rules/rule-types.ts",
    "src/rehearse/rules/tools-table.ts",
  ]);
  expect(files).toContain("src/page/model/words.ts");
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

test("ARCHITECTURE and CONTRIBUTING name files and folders that exist", () => {
  const rooms = ["src", "test", "bench", "docs", "corpus"];
  const files = rooms.flatMap((room) => filesUnder(room, /./)).map((file) => `/${file}`);
  const named = ["ARCHITECTURE.md", "CONTRIBUTING.md"].flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+\.(?:ts|wat)|(?!mailflow|@)[a-z]+\/[\w./-]*)`/g)].map(
      ([, path]) => path!,
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => !files.some((file) => file.includes(`/${path}`)))).toEqual([]);
});

describe("the engine is pure", () => {
  const impure =
    /\b(?:process|Buffer|globalThis|setTimeout|setInterval|fetch|performance|console|require)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\./;
  const files = [...sources].filter(
    ([file]) => PURE_ROOMS.some((room) => file.startsWith(`src/${room}/`)) && !ADAPTERS.has(file),
  );
  test.each(files)("%s", (file, text) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|"[^"\n]*"/g, "");
    expect(impure.exec(code)?.[0]).toBeUndefined();
    const allowed = /^(?:\.|@marcbachmann\/cel-js)/;
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

  test("the table in docs/ is what the code marks (KEEP_ASSUMPTIONS=1 writes it anew)", () => {
    const table = marks.map(({ key, statement }) => `| \`${key}\` | ${statement} |`).join("\n");
    const [begin, end] = ["<!-- assumptions -->", "<!-- end of assumptions -->"];
    const page = read("docs/assumptions.md");
    const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
    const wanted = `\n| key | what we assume |\n|---|---|\n${table}\n`;
    if (process.env.KEEP_ASSUMPTIONS === "1" && to >= from) {
      writeFileSync(
        join(ROOT, "docs/assumptions.md"),
        page.slice(0, from) + wanted + page.slice(to),
      );
    } else {
      expect(page.slice(from, to)).toBe(wanted);
    }
  });
});
