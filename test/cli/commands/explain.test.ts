import { describe, expect, test } from "vitest";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const MAIL = message(
  {
    From: "Ann <ann@sender.test>",
    To: "sales@shop.example",
    Subject: "Your Invoice of May",
    "X-Spam-Score": "7",
  },
  "Dear shop,\nthe invoice is attached.\n",
);

interface Rule {
  readonly type: string;
  readonly config: object;
  readonly id?: string;
  readonly active?: boolean;
}

/** The lines of the trace, without the facts. */
async function traceOf(rules: readonly Rule[], mail: string = MAIL): Promise<string[]> {
  const domain = { domain: "shop.example", routing_engine: "rules", rules };
  const cwd = folderWith({ "domain.json": domain, "m.eml": mail });
  const { stdout } = await mailflow(["route", "domain.json", "m.eml", "--explain"], { cwd });
  const [, trace] = stdout.split("  rules in the order of trial\n");
  return (trace ?? "").trimEnd().split("\n");
}

function regex(source: string, ...scopes: string[]): Rule {
  return { id: "r", type: "regex", config: { regex: source, scopes, forward: "x@else.test" } };
}

function cel(expression: string): Rule {
  return { id: "r", type: "cel", config: { expression, forward: "x@else.test" } };
}

function alias(written: string): Rule {
  return { id: "r", type: "alias", config: { alias: written, forward: "x@else.test" } };
}

describe("a near miss of", () => {
  test.each([
    ["an alias", alias("sale"), "wants `sale`, the address has `sales`"],
    ["a wildcard", alias("help*"), "`sales` does not fit `help*`"],
    ["a pattern alias", alias("sale[0-9]"), "`sales` does not match /sale[0-9]/"],
    ["a regex", regex("offer", "subject"), '/offer/ is not in subject "Your Invoice of May"'],
    [
      "a regex on several scopes",
      regex("offer", "body", "sender", "subject"),
      '/offer/ is not in sender "ann@sender.test", nor in subject "Your Invoice of May", nor in body "Dear shop, the invoice is attached."',
    ],
    [
      "a regex by its case",
      regex("your invoice", "subject"),
      '/your invoice/ is not in subject "Your Invoice of May"; only upper and lower case differ: start the pattern with (?i)',
    ],
    [
      "one conjunct of CEL",
      cel('sender.endsWith("@sender.test") && subject.contains("invoice") && size < 10'),
      '`subject.contains("invoice")` is false: `subject` is "Your Invoice of May"',
    ],
    [
      "a conjunct in parentheses",
      cel('(size > 1 && (subject == "x"))'),
      '`subject == "x"` is false: `subject` is "Your Invoice of May"',
    ],
    [
      "alternatives",
      cel('subject == "a" || sender == "b"'),
      '`subject == "a" || sender == "b"` is false: `subject` is "Your Invoice of May", `sender` is "ann@sender.test"',
    ],
    [
      "a number",
      cel('int(headers["x-spam-score"][0]) > 9'),
      '`int(headers["x-spam-score"][0]) > 9` is false: `int(headers["x-spam-score"][0])` is 7',
    ],
    [
      "a list",
      cel('attachments.exists(file, file.filename.endsWith(".pdf"))'),
      '`attachments.exists(file, file.filename.endsWith(".pdf"))` is false: `attachments` is []',
    ],
    ["a map", cel('"list-id" in headers'), '`"list-id" in headers` is false'],
    [
      "operators within texts",
      cel('subject != "a && b" && subject == "x || y"'),
      '`subject == "x || y"` is false: `subject` is "Your Invoice of May"',
    ],
  ])("%s", async (_, rule, said) => {
    expect(await traceOf([rule])).toEqual([`    rank 1  r  missed       ${said}`]);
  });

  test("a text that is empty", async () => {
    const mail = message({ To: "sales@shop.example" });
    const [line] = await traceOf([regex("offer", "subject")], mail);
    expect(line).toContain("/offer/ is not in subject (empty)");
  });
});

test("a rule that fails is told with the place in its expression", async () => {
  const [line] = await traceOf([cel('size > 0 && headers["x-none"][0] == "yes"')]);
  expect(line).toMatch(/^ {4}rank 1 {2}r {2}failed {7}.*, at `headers\["x-none"\]`$/);
});

test("a rule whose forward cannot be filled is told as failed, and the next one goes on", async () => {
  const config = { regex: "(Your Invoice)", scopes: ["subject"], forward: "$1@else.test" };
  const lines = await traceOf([{ id: "spaced", type: "regex", config }, alias("sales")]);
  expect(lines[0]).toMatch(/spaced {2}failed {7}`Your Invoice@else\.test` is neither/);
  expect(lines[1]).toMatch(/r {7}matched {6}`sales` is the part before the @$/);
});

describe("what matched", () => {
  test("is shown in its surroundings, with its captures", async () => {
    const [line] = await traceOf([regex("(the) (inv)?oice(s)?", "body")]);
    expect(line).toBe(
      '    rank 1  r  matched      body matched /(the) (inv)?oice(s)?/ at "Dear shop, [the invoice] is attached.", $1 = "the", $2 = "inv", $3 empty',
    );
  });

  test("of CEL is the expression, cut", async () => {
    const long = Array.from({ length: 50 }, (_, index) => `subject != "${index}"`).join(" && ");
    const [line] = await traceOf([cel(long)]);
    expect(line).toMatch(/matched {6}`subject != "0" && .*…` is true$/);
    expect(line?.length).toBeLessThan(170);
  });
});

describe("many rules", () => {
  const off = (id: string): Rule => ({ ...alias("x"), id, active: false });

  test("that are inactive or not reached are one line", async () => {
    const rules = [
      ...["a", "b", "c", "d"].map(off),
      { ...alias("sales"), id: "hit" },
      ...["e", "f", "g"].map((id) => ({ ...alias("x"), id })),
      off("h"),
    ];
    expect(await traceOf(rules)).toEqual([
      "    … 4 rules inactive",
      "    rank 5  hit  matched      `sales` is the part before the @",
      "    … 4 rules not reached",
    ]);
  });

  test("but few are told one by one", async () => {
    const rules = [
      off("a"),
      { ...alias("sales"), id: "hit" },
      off("b"),
      { ...alias("x"), id: "c" },
    ];
    expect(await traceOf(rules)).toEqual([
      "    rank 1  a    inactive",
      "    rank 2  hit  matched      `sales` is the part before the @",
      "    rank 3  b    inactive",
      "    rank 4  c    not reached",
    ]);
  });
});

describe("aliases", () => {
  test("are told in the order of trial", async () => {
    const cwd = folderWith({ "domain.json": ALIAS_DOMAIN, "m.eml": MAIL });
    const argv = ["route", "domain.json", "m.eml", "--explain", "--recipient", "help@shop.example"];
    const { stdout } = await mailflow(argv, { cwd });
    await expect(stdout).toMatchFileSnapshot("golden/explain-aliases.txt");
  });

  test("are none where routing is disabled", async () => {
    const domain = { ...ALIAS_DOMAIN, routing_engine: null };
    const cwd = folderWith({ "domain.json": domain, "m.eml": MAIL });
    const { stdout } = await mailflow(["route", "domain.json", "m.eml", "--explain"], { cwd });
    expect(stdout).toContain("\n  nothing was tried\n");
  });
});

test("what rules see is told first", async () => {
  const mail = message({ To: "sales@shop.example" }, "");
  const cwd = folderWith({ "domain.json": ALIAS_DOMAIN, "m.eml": mail });
  const { stdout } = await mailflow(["route", "domain.json", "m.eml", "--explain"], { cwd });
  expect(stdout.split("\n").slice(3, 10)).toEqual([
    "  what rules see",
    "    recipient    sales@shop.example",
    "    sender       none (null sender)",
    "    subject      empty",
    "    body         empty",
    "    attachments  none",
    "    size         24 octets",
  ]);
});
