/** What the documents copy from the code or from tests is the same there (KEEP_DOCS=1 writes it anew). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { CONTROL_ROUTES, shownRow } from "../../src/simulator/control/app.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** `<!-- name -->` to `<!-- end of name -->`, as the page has it and as it should be. */
function expectBlock(file: string, name: string, wanted: string): void {
  const page = read(file);
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  expect(to, `block ${name} of ${file}`).toBeGreaterThanOrEqual(from);
  if (process.env.KEEP_DOCS === "1") {
    writeFileSync(join(ROOT, file), page.slice(0, from) + wanted + page.slice(to));
  } else expect(page.slice(from, to)).toBe(wanted);
}

test("the walk through the service is the one that is tested", () => {
  const mark = "<!-- tested elsewhere: test/simulator/readme-walk.test.ts -->";
  const walk = read("test/simulator/walk.txt");
  expectBlock("docs/simulator.md", "serve walk", `${mark}\n\`\`\`console\n${walk}\`\`\`\n`);
});

test("the simulator's example is the one that is tested", () => {
  const mark = "<!-- tested elsewhere: test/simulator/example.test.ts -->";
  const example = read("test/simulator/example.test.ts")
    .replace(/^\/\*\*.*\*\/\s*/, "")
    .replace("../../src/simulator/index.ts", "mailflow/simulator");
  expectBlock("docs/simulator.md", "simulator example", `${mark}\n\`\`\`ts\n${example}\`\`\`\n`);
});

test("the control plane's table is the one that is served", () => {
  const rows = CONTROL_ROUTES.map(shownRow).map(({ method, path, takes, summary }) => {
    const fields = takes.map((field) => `\`${field.replace(/ \| /g, "\\|")}\``).join(", ");
    return `| ${method} | \`${path}\` | ${fields} | ${summary} |\n`;
  });
  const head = "| method | path | takes | what it does |\n|---|---|---|---|\n";
  expectBlock("docs/control-plane.md", "control plane", head + rows.join(""));
});

/** The properties of an object literal, each with its value as written and the comment above it or above its group. */
function limits(): { name: string; value: string; reason: string }[] {
  const text = read("src/base/limits.ts");
  const source = ts.createSourceFile("limits.ts", text, ts.ScriptTarget.ES2022, true);
  const rows: { name: string; value: string; reason: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) {
      const comment = text.slice(node.getFullStart(), node.getStart());
      const [, above = ""] = /\/\*\*([\s\S]*?)\*\//.exec(comment) ?? [];
      const reason = above
        .replace(/^\s*\*/gm, "")
        .replace(/\s+/g, " ")
        .trim();
      const value = node.initializer.getText().replace(/\s+/g, " ");
      rows.push({
        name: node.name.getText(),
        value,
        reason: reason || (rows.at(-1)?.reason ?? ""),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return rows;
}

test("the limits are those of the code", () => {
  const rows = limits();
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(({ reason }) => reason === "")).toEqual([]);
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const table = rows.map(
    ({ name, value, reason }) => `| \`${name}\` | \`${cell(value)}\` | ${cell(reason)} |\n`,
  );
  const head = "| limit | value | what it bounds |\n|---|---|---|\n";
  expectBlock("docs/limits.md", "limits", head + table.join(""));
});
