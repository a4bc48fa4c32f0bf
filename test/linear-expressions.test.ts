/** What outsiders write is read in linear time: no expression of the source can backtrack far, or start its search anew too often. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { analyse } from "scslre";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../src", import.meta.url));

/** By file: expressions that are slow on long texts, and why none reaches them. */
const SHORT_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "cli/command.ts": { "/^-?(?:\\d+\\.?\\d*|\\.\\d+)$/": "an operator's argument" },
  "cli/commands/witness.ts": { "/\\n*$/": "a message that the command wrote itself" },
  "cli/read/find-tests.ts": { "/^\\.\\/?$|\\/+$/g": "an operator's path" },
  "engine/cel/functions/format-string.ts": {
    "/^(-?\\d+)\\.(\\d+)(.*)$/": "digits of a number, written by the host",
  },
  "engine/cel/functions/signature.ts": {
    "/(?:, )?[\\w<>]+\\?\\)/": "a signature that is written in the source",
  },
  "engine/cel/values/time.ts": {
    "/0+$/": "nine digits",
    "/(\\d*)\\.?(\\d*)(ns|us|µs|ms|s|m|h)/g": "a duration, checked before",
  },
  "mailbox/mail-folder.ts": {
    "/(?<=.)[/\\\\]+$/": "an operator's path",
    "/(?<=.)\\/+$/": "an operator's path",
  },
  "message/text/charset.ts": { "/^[\\s\"']+|[\\s\"';]+$/g": "at most 128 characters" },
  "page/editor/completions.ts": { "/\\w*$/": "what the page's own user types" },
  "page/model/share.ts": { "/=+$/": "base64, which ends with two of them at most" },
  "rehearse/check/cited-address.ts": {
    "/(?:[\\w@-]|\\\\?\\.)*$/": "a pattern of at most 1,024 characters",
  },
  "simulator/control/inbox/inbox-search.ts": { "/<[^>]*>/g": "a text that ends with `>`" },
  "simulator/model/logs/log-parties.ts": { '/[^",;:<>]*$/': "at most 320 characters" },
  "simulator/send/send-attachments.ts": {
    "/[\\s.]+$|[\\p{Cf}]/gu": "a file name of at most 255 characters",
    "/=*$/": "two characters",
  },
};

/** The literals of a file. */
function expressionsOf(path: string): string[] {
  const found: string[] = [];
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(
    path,
    readFileSync(path, "utf8"),
    ts.ScriptTarget.Latest,
    false,
    kind,
  );
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isLinear(literal: string): boolean {
  const end = literal.lastIndexOf("/");
  const parsed = { source: literal.slice(1, end), flags: literal.slice(end + 1) };
  return analyse(parsed).reports.length === 0;
}

test("knows what is slow", () => {
  // Ambiguous without and with an end, and a search that starts anew at each place.
  for (const slow of ["/^(?:a+)+$/", "/^\\d+\\.?\\d*x$/", "/^(?:(?:\\d+\\.?\\d*)s)+$/", "/ +$/"]) {
    expect(isLinear(slow), slow).toBe(false);
  }
  for (const linear of ["/^a+$/", "/a[^b]{0,9}b/", "/^\\d+(?:\\.\\d*)?x$/"]) {
    expect(isLinear(linear), linear).toBe(true);
  }
});

test("every expression of the source is linear, or only reads short texts", () => {
  const slow = new Map<string, Set<string>>();
  let count = 0;
  for (const entry of readdirSync(ROOT, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const literals = expressionsOf(path);
    count += literals.length;
    const found = literals.filter((literal) => !isLinear(literal));
    if (found.length > 0) slow.set(relative(ROOT, path).replaceAll("\\", "/"), new Set(found));
  }
  expect(count).toBeGreaterThan(300);
  const known = Object.entries(SHORT_TEXTS).map(
    ([path, reasons]) => [path, new Set(Object.keys(reasons))] as const,
  );
  expect(slow).toEqual(new Map(known));
});
