import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow, type World } from "../memory-io.ts";

const TO_SALES = message({
  From: "a@sender.test",
  To: "Sales <sales@shop.example>",
  Subject: "Hi",
});
const TO_HELP = message({ From: "a@sender.test", To: "helpdesk@shop.example", Subject: "Help" });
const TO_NOBODY = message({ From: "a@sender.test", To: "other@else.test", Subject: "Hi" });

const RULES = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: null,
  rules: [
    {
      id: "boss",
      type: "regex",
      config: { regex: "^boss@", scopes: ["sender"], forward: "boss@else.test" },
    },
    { id: "null", type: "alias", config: { alias: "void", forward: "null" } },
  ],
};

/** Runs `route domain.json …` in a folder with these files. */
async function route(
  argv: readonly string[],
  files: Readonly<Record<string, unknown>>,
  world: World = {},
): ReturnType<typeof mailflow> {
  const cwd = folderWith({ "domain.json": ALIAS_DOMAIN, ...files });
  return mailflow(["route", "domain.json", ...argv], { cwd, ...world });
}

function records(stdout: string): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("a decision is three lines and a blank one", () => {
  test.each([
    [
      "sales@shop.example",
      "forwarded\n  by alias sales: `sales` is the part before the @\n  to sales@else.test\n\n",
    ],
    [
      "Sales+Web@SHOP.example",
      "forwarded\n  by alias sales: `sales+web` is `sales` with the detail `web`\n  to sales@else.test\n\n",
    ],
    [
      "help-me@shop.example",
      "forwarded\n  by alias help*: `help-me` fits `help*`\n  to help@else.test\n\n",
    ],
    [
      "ticket-42@shop.example",
      'forwarded\n  by alias ticket-(\\d+): `ticket-42` matches /ticket-(\\d+)/, $1 = "42"\n  to https://hooks.else.test/ticket?id=42\n\n',
    ],
    [
      "void@shop.example",
      "discarded\n  by alias void: `void` is the part before the @\n  accepted, then dropped: nobody gets it\n\n",
    ],
    [
      "slaes@shop.example",
      "rejected\n  none of the 4 aliases takes `slaes`; the nearest is `sales`\n  the sender gets 550 5.1.1 no such mailbox here\n\n",
    ],
    [
      "zzz@shop.example",
      "rejected\n  none of the 4 aliases takes `zzz`\n  the sender gets 550 5.1.1 no such mailbox here\n\n",
    ],
  ])("%s", async (recipient, said) => {
    const { code, stdout, stderr } = await route(["m.eml", "--recipient", recipient], {
      "m.eml": TO_SALES,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`m.eml for ${recipient.toLowerCase()}: ${said}`);
  });

  test("routing disabled", async () => {
    const domain = { ...ALIAS_DOMAIN, routing_engine: null };
    const { stdout } = await route(["m.eml"], { "domain.json": domain, "m.eml": TO_SALES });
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "m.eml for sales@shop.example: rejected",
      "  routing is disabled: `routing_engine` is null",
      "  the sender gets 550 5.7.1 this domain does not take mail",
    ]);
  });

  test("no rule and no fallback", async () => {
    const { stdout } = await route(["m.eml"], { "domain.json": RULES, "m.eml": TO_SALES });
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "m.eml for sales@shop.example: discarded",
      "  none of the 2 active rules matched, and there is no fallback address",
      "  accepted, then dropped: nobody gets it",
    ]);
  });
});

test.each([
  ["alias", "the only alias does not take `sales`"],
  ["rules", "the only active rule did not match, and there is no fallback address"],
])("one entry that does not match is told as one: %s", async (routing_engine, said) => {
  const aliases = [{ id: "a", alias: "other", forward: "x@else.test" }];
  const rules = [{ id: "r", type: "alias", config: { alias: "other", forward: "x@else.test" } }];
  const domain = { domain: "shop.example", routing_engine, aliases, rules };
  const { stdout } = await route(["m.eml"], { "domain.json": domain, "m.eml": TO_SALES });
  expect(stdout.split("\n")[1]).toBe(`  ${said}`);
});

describe("recipients", () => {
  test("are those that the message names at the domain", async () => {
    const both = message({ To: "sales@shop.example, x@else.test", Cc: "helpdesk@shop.example" });
    const { stdout } = await route(["m.eml"], { "m.eml": both });
    expect(stdout.match(/for \S+:/g)).toEqual([
      "for sales@shop.example:",
      "for helpdesk@shop.example:",
    ]);
    expect(stdout).not.toContain("decisions");
  });

  test("that are named with --recipient are taken instead, each once", async () => {
    const named = ["help1@shop.example", "void@shop.example", "HELP1@Shop.Example"];
    const options = named.flatMap((address) => ["--recipient", address]);
    const { stdout } = await route(["m.eml", ...options, "--json"], { "m.eml": TO_SALES });
    expect(records(stdout).map(({ recipient }) => recipient)).toEqual([
      "help1@shop.example",
      "void@shop.example",
    ]);
  });

  test("a message without any is told, with what to do, and alone makes exit code 2", async () => {
    const { code, stdout } = await route(["m.eml"], { "m.eml": TO_NOBODY });
    expect(code).toBe(2);
    expect(stdout).toBe(
      "m.eml: not routed\n  it names no recipient at shop.example\n  give one with --recipient somebody@shop.example\n\n",
    );
  });

  test("a message without any is a record of --json", async () => {
    const files = { "a/1.eml": TO_NOBODY, "a/2.eml": TO_SALES };
    const { code, stdout } = await route(["a", "--json"], files);
    expect(code).toBe(0);
    expect(records(stdout)[0]).toEqual({
      message: "a/1.eml",
      recipient: null,
      action: null,
      reason: null,
      decidedBy: null,
      destinations: [],
      problems: [{ code: "no-recipient", message: expect.stringContaining("--recipient") }],
    });
    expect(records(stdout)[1]).toMatchObject({ message: "a/2.eml", action: "forward" });
  });

  test.each([
    ["x@else.test", "is not at `shop.example`, the domain of the file"],
    ["sales", "is not an address: write it as `sales@shop.example`"],
    ["sales@", "is not an address: write it as `somebody@shop.example`"],
    ["two words", "is not an address: write it as `somebody@shop.example`"],
  ])("%s is wrong use", async (recipient, said) => {
    const { code, stdout, stderr } = await route(["m.eml", "--recipient", recipient], {
      "m.eml": TO_SALES,
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });
});

describe("senders", () => {
  const files = {
    "domain.json": RULES,
    "m.eml": message({ From: "boss@sender.test", To: "x@shop.example" }),
    "anonymous.eml": message({ To: "x@shop.example" }),
  };

  async function decidedBy(...argv: string[]): Promise<unknown> {
    const { stdout } = await route([...argv, "--json"], files);
    return records(stdout)[0]?.reason;
  }

  test("rules see the From field, unless --sender-source says otherwise", async () => {
    expect(await decidedBy("m.eml")).toBe("rule");
    expect(await decidedBy("m.eml", "--sender", "x@else.test")).toBe("rule");
    const envelope = ["--sender-source", "envelope"];
    expect(await decidedBy("m.eml", "--sender", "x@else.test", ...envelope)).toBe("no-match");
    expect(await decidedBy("m.eml", "--sender", "boss@else.test", ...envelope)).toBe("rule");
    expect(await decidedBy("m.eml", "--sender", "<>", ...envelope)).toBe("no-match");
  });

  test("without a From field they see the envelope's, if that is known", async () => {
    expect(await decidedBy("anonymous.eml")).toBe("no-match");
    expect(await decidedBy("anonymous.eml", "--sender", "boss@else.test")).toBe("rule");
  });

  test.each([
    [["--sender", "boss"], "sender `boss` is not an address"],
    [["--sender-source", "envelope"], "`--sender-source envelope` needs the sender"],
  ])("%j is wrong use", async (options, said) => {
    const { code, stderr } = await route(["m.eml", ...options], files);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});

describe("messages", () => {
  async function names(argv: readonly string[], files: object, world?: World): Promise<unknown[]> {
    const { stdout } = await route([...argv, "--json"], { ...files }, world);
    return records(stdout).map((record) => record.message);
  }

  test("of a folder and its subfolders come by name, hidden files left out", async () => {
    const files = {
      "mail/b.eml": TO_SALES,
      "mail/a/2": TO_SALES,
      "mail/a/1.txt": TO_SALES,
      "mail/.DS_Store": "x",
      "mail/.git/config": "x",
      "mail/C.eml": TO_SALES,
    };
    const expected = ["mail/C.eml", "mail/a/1.txt", "mail/a/2", "mail/b.eml"];
    expect(await names(["mail"], files)).toEqual(expected);
    expect(await names(["mail/"], files)).toEqual(expected);
  });

  test("of a Maildir are those in cur and new, its subfolders' too", async () => {
    const files = {
      "Maildir/cur/1:2,S": TO_SALES,
      "Maildir/new/2": TO_SALES,
      "Maildir/tmp/3": TO_SALES,
      "Maildir/dovecot.index": "x",
      "Maildir/.Sent/cur/4": TO_SALES,
      "Maildir/.Sent/new/.keep": "",
      "Maildir/.Sent/tmp/5": TO_SALES,
    };
    expect(await names(["Maildir"], files)).toEqual([
      "Maildir/.Sent/cur/4",
      "Maildir/cur/1:2,S",
      "Maildir/new/2",
    ]);
  });

  test("of linked files count, a circle of links is told, and a link to nothing", async () => {
    const cwd = folderWith({ "domain.json": ALIAS_DOMAIN, "mail/m.eml": TO_SALES });
    symlinkSync(join(cwd, "mail/m.eml"), join(cwd, "mail/n.eml"));
    symlinkSync(join(cwd, "mail"), join(cwd, "mail/round"));
    symlinkSync(join(cwd, "nowhere"), join(cwd, "mail/dangling"));
    const { stdout, stderr } = await mailflow(["route", "domain.json", "mail", "--json"], { cwd });
    const found = records(stdout).map(({ message, action }) => [message, action]);
    expect(found).toEqual([
      ["mail/dangling", null],
      ["mail/m.eml", "forward"],
      ["mail/n.eml", "forward"],
    ]);
    expect(stderr).toBe("skipped: mail/round: a link to a folder that has been read already\n");
  });

  test("of an mbox are known by its content, however it is named", async () => {
    const mbox = `From a@b Mon Nov 16 08:00:00 2026\n${TO_SALES}\nFrom c@d Mon Nov 16 08:00:01 2026\n${TO_HELP}`;
    expect(await names(["archive"], { archive: mbox })).toEqual(["archive#1", "archive#2"]);
    expect(await names(["-"], {}, { stdin: mbox })).toEqual(["(stdin)#1", "(stdin)#2"]);
  });

  test("of several paths come in their order", async () => {
    const files = { "1.eml": TO_SALES, "2.eml": TO_HELP };
    expect(await names(["2.eml", "1.eml"], files)).toEqual(["2.eml", "1.eml"]);
  });

  test("of standard input", async () => {
    const { code, stdout } = await route(["-"], {}, { stdin: TO_SALES });
    expect(code).toBe(0);
    expect(stdout).toContain("(stdin) for sales@shop.example: forwarded\n");
  });

  test("larger than what is read at once are read from a file and from standard input alike", async () => {
    const domain = {
      ...RULES,
      rules: [
        {
          id: "end",
          type: "regex",
          config: { regex: "the very end", scopes: ["body"], forward: "end@else.test" },
        },
      ],
    };
    const large = `${TO_SALES}${"filler\n".repeat(40_000)}the very end\n`;
    const files = { "domain.json": domain, "m.eml": large };
    const fromFile = await route(["m.eml", "--json"], files);
    const fromStdin = await route(["-", "--json"], files, { stdin: large });
    expect(records(fromFile.stdout)[0]).toMatchObject({ message: "m.eml", reason: "rule" });
    expect(records(fromStdin.stdout)[0]).toMatchObject({ message: "(stdin)", reason: "rule" });
  });

  test("many are summed up", async () => {
    const files = { "m/1": TO_SALES, "m/2": TO_HELP, "m/3": TO_NOBODY };
    const { code, stdout } = await route(["m"], files);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n3 messages, 2 decisions: 2 forwarded, 1 not routed\n$/);
  });

  test("an empty folder ends with 2", async () => {
    const cwd = folderWith({ "domain.json": ALIAS_DOMAIN });
    mkdirSync(join(cwd, "empty"));
    const { code, stdout, stderr } = await mailflow(["route", "domain.json", "empty"], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("warning: no messages in `empty`\n");
  });

  test("a path that is not there ends with 2, before anything is routed", async () => {
    const { code, stdout, stderr } = await route(["m.eml", "none.eml"], { "m.eml": TO_SALES });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("cannot read `none.eml`: there is no such file");
  });
});

describe("a domain that is wrong", () => {
  test("has its diagnostics on standard error, and ends with 2", async () => {
    const domain = { ...ALIAS_DOMAIN, routing_engine: "magic" };
    const { code, stdout, stderr } = await route(["m.eml", "--json"], {
      "domain.json": domain,
      "m.eml": TO_SALES,
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^domain\.json:3:21: error\[domain\/unknown-routing-engine\] /);
  });

  test("or is a folder", async () => {
    const { code, stderr } = await mailflow(["route", ".", "x"], { cwd: folderWith({}) });
    expect(code).toBe(2);
    expect(stderr).toContain("`.` is a folder: name a domain file");
  });
});

describe("--json", () => {
  test("has neither trace, problems nor reply where there is none", async () => {
    const { stdout } = await route(["m.eml", "--json"], { "m.eml": TO_SALES });
    expect(records(stdout)).toEqual([
      {
        message: "m.eml",
        recipient: "sales@shop.example",
        action: "forward",
        reason: "alias",
        decidedBy: { kind: "alias", id: "a1", alias: "sales" },
        destinations: [{ kind: "mailbox", address: "sales@else.test" }],
      },
    ]);
  });

  test("has the reply of what is rejected", async () => {
    const { stdout } = await route(["m.eml", "--json", "--recipient", "q@shop.example"], {
      "m.eml": TO_SALES,
    });
    expect(records(stdout)[0]).toMatchObject({
      action: "reject",
      reason: "no-match",
      decidedBy: null,
      reply: { code: 550, enhanced: "5.1.1" },
    });
  });

  test("has the problems of a damaged message", async () => {
    const damaged =
      "To: sales@shop.example\nContent-Type: multipart/mixed; boundary=b\n\nno part at all\n";
    const { code, stdout } = await route(["m.eml", "--json", "--explain"], { "m.eml": damaged });
    expect(code).toBe(0);
    expect(records(stdout)[0]).toMatchObject({
      action: "forward",
      problems: [{ code: "missing-parts" }],
    });
  });

  test("with --explain has a trace entry for each of 1,000 rules", async () => {
    const rules = Array.from({ length: 1_000 }, (_, index) => ({
      id: `r${index}`,
      type: index % 2 === 0 ? "alias" : "regex",
      active: index % 100 !== 7,
      config:
        index % 2 === 0
          ? { alias: index === 500 ? "sales" : `nobody${index}`, forward: "x@else.test" }
          : { regex: `nothing${index}`, scopes: ["subject", "body"], forward: "x@else.test" },
    }));
    const files = { "domain.json": { ...RULES, rules }, "m.eml": TO_SALES };
    const { stdout } = await route(["m.eml", "--json", "--explain"], files);
    const [record] = records(stdout);
    const trace = record?.trace as { id: string; verdict: string }[];
    expect(trace.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    expect(trace.filter(({ verdict }) => verdict === "matched")).toMatchObject([{ id: "r500" }]);
    expect(trace.filter(({ verdict }) => verdict === "inactive")).toHaveLength(10);
    expect(trace.filter(({ verdict }) => verdict === "unreached")).toHaveLength(494);

    const { stdout: text } = await route(["m.eml", "--explain"], files);
    expect(text).toContain("\n    … 499 rules not reached\n");
  });
});
