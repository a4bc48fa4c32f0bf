/** What people read of the commands that rehearse: whole outputs on the example domain, kept in `golden/`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith } from "./folder.ts";
import { mailflow } from "./memory-io.ts";

const cwd = fileURLToPath(new URL("../../corpus/demo", import.meta.url));

interface Rule {
  id: string;
  rank: number;
  active?: boolean;
  config: Record<string, unknown>;
}

function demo(): { rules: Rule[] } {
  return JSON.parse(readFileSync(join(cwd, "domain.json"), "utf8"));
}

/** The example with a pattern widened, a rank moved, a rule switched off, a forward changed, an expression mended. */
function changed(): object {
  const config = demo();
  const rule = (id: string): Rule => config.rules.find((each) => each.id === id)!;
  rule("junk").config.regex = "(?i)prize\\s+draw|act now|lunch";
  rule("japan-desk").rank = 5;
  rule("newsletters").active = false;
  rule("orders").config.forward = "team@fulfil.example";
  return config;
}

/** The example as it was before the typo in an expression was corrected. */
function mistyped(): object {
  const config = demo();
  const scans = config.rules.find(({ id }) => id === "scans")!;
  scans.config.expression = String(scans.config.expression).replace("image/tiff", "image/tif");
  return config;
}

const RULE = {
  id: "codes-and-lunches",
  type: "regex",
  config: {
    regex: "(?i)\\bcode\\b|lunch",
    scopes: ["subject", "body"],
    forward: "watch@desk.example",
  },
};

const LINT = {
  domain: "shop.example",
  routing_engine: "rules",
  rules: [
    {
      id: "partners",
      type: "regex",
      rank: 10,
      config: {
        regex: "@Partner.example$",
        scopes: ["sender"],
        forward: "a@else.test, A@else.test",
      },
    },
    { id: "sales", type: "alias", rank: 10, config: { alias: "sales*", forward: "b@else.test" } },
    {
      id: "sales-eu",
      type: "alias",
      rank: 20,
      config: { alias: "sales-eu", forward: "c@else.test" },
    },
    {
      id: "boss",
      type: "cel",
      rank: 30,
      config: { expression: 'sender == "Boss@shop.example"', forward: "d@else.test" },
    },
    { id: "all", type: "alias", rank: 40, config: { alias: "*", forward: "e@else.test" } },
    {
      id: "late",
      type: "regex",
      rank: 50,
      config: { regex: "(a|b).{0,300}c", scopes: ["body"], forward: "f@else.test" },
    },
  ],
};

const FAILING = {
  domain: "domain.json",
  tests: [
    {
      name: "letters go to the ledger",
      message: { recipient: "ines", sender: "a@b.test", subject: "the bill" },
      expect: { rule: "invoices" },
    },
    {
      name: "an invoice with a scan goes to the archive",
      message: {
        recipient: "ines",
        subject: "invoice 3",
        attachments: [{ contentType: "image/tiff" }],
      },
      expect: { destinations: "archive@books.example" },
    },
    {
      name: "an invoice goes to the ledger",
      message: { recipient: "ines", subject: "invoice 3" },
      expect: { rule: "invoices" },
    },
    { name: "a file that is not there", message: "no.eml", expect: { rule: "invoices" } },
  ],
};

/** A folder with the example and what the commands are asked about. */
function folder(): string {
  const messages = ["02-invoice", "04-newsletter", "08-scan-in-three-levels", "09-letter"];
  const files = messages.map((name): [string, Buffer] => {
    const path = `messages/${name}.eml`;
    return [path, readFileSync(join(cwd, path))];
  });
  return folderWith({
    "domain.json": demo(),
    "mistyped.json": mistyped(),
    "proposed.json": changed(),
    "rule.json": RULE,
    "lint.json": LINT,
    "failing.mailtest.json": FAILING,
    ...Object.fromEntries(files),
  });
}

test.each<[string, readonly string[], 0 | 1]>([
  ["test.txt", ["test", "--coverage", "text"], 0],
  ["why.txt", ["why", "domain.json", "messages/09-letter.eml", "--to", "invoices"], 0],
  [
    "why-taken.txt",
    ["why", "domain.json", "messages/02-invoice.eml", "--to", "archive@books.example"],
    0,
  ],
  ["why-reached.txt", ["why", "domain.json", "messages/02-invoice.eml", "--to", "invoices"], 0],
])("%s", async (name, argv, code) => {
  const ran = await mailflow(argv, { cwd });
  expect([ran.code, ran.stderr]).toEqual([code, ""]);
  await expect(ran.stdout).toMatchFileSnapshot(join("golden", name));
});

test.each<[string, readonly string[], 0 | 1]>([
  ["check-warnings.txt", ["check", "lint.json"], 0],
  ["test-failing.txt", ["test", "failing.mailtest.json"], 1],
  ["test-failing.tap", ["test", "failing.mailtest.json", "--reporter", "tap"], 1],
  ["test-failing.xml", ["test", "failing.mailtest.json", "--reporter", "junit"], 1],
  ["diff.txt", ["diff", "mistyped.json", "proposed.json", "messages"], 1],
  ["diff.md", ["diff", "mistyped.json", "proposed.json", "messages", "--markdown"], 1],
  ["diff-nothing.txt", ["diff", "domain.json", "domain.json", "messages"], 0],
  ["shadow.txt", ["shadow", "domain.json", "rule.json", "messages", "--rank", "15"], 0],
])("%s", async (name, argv, code) => {
  const ran = await mailflow(argv, { cwd: folder() });
  expect([ran.code, ran.stderr]).toEqual([code, ""]);
  await expect(ran.stdout).toMatchFileSnapshot(join("golden", name));
});

test("replay.txt, but for times", async () => {
  const { code, stdout, stderr } = await mailflow(["replay", "domain.json", "messages"], { cwd });
  expect([code, stderr]).toEqual([0, ""]);
  const [counted, slow] = stdout.split("slowest messages\n");
  expect(slow?.trimEnd().split("\n")).toHaveLength(3);
  await expect(counted).toMatchFileSnapshot(join("golden", "replay.txt"));
});

test.each(["test", "why", "diff", "shadow", "replay"])("%s --help", async (command) => {
  const { code, stdout } = await mailflow([command, "--help"]);
  expect(code).toBe(0);
  await expect(stdout).toMatchFileSnapshot(join("golden", `help-${command}.txt`));
});
