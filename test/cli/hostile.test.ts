import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALIAS_DOMAIN, folderWith, message } from "./folder.ts";
import { mailflow } from "./memory-io.ts";

const RULES = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@else.test",
  rules: [
    {
      id: "\u001b]0;title\u0007",
      type: "regex",
      config: {
        regex: "lottery",
        scopes: ["sender", "subject", "body"],
        forward: "https://hooks.else.test/x",
      },
    },
  ],
};

function bytes(length: number): Uint8Array {
  // Every octet, in an order that repeats only after 64 Ki.
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 255);
}

describe("a message cannot steer the terminal", () => {
  const NASTY = "\u001b[2J\u001b]8;;http://x.test\u0007lottery\u009b31m\u202e\r\n";
  const files = {
    "domain.json": RULES,
    "m\u001b[31m.eml": message({
      To: "x@shop.example",
      Subject: "=?utf-8?Q?=1B[2Jlottery=0Anext?=",
    }),
    "n.eml": message({ To: "x@shop.example" }, NASTY),
    "o.eml": message({ To: "x@shop.example" }, `${NASTY.replace("lottery", "")}`),
  };

  test.each([[[]], [["--explain"]]])("%j", async (options) => {
    const cwd = folderWith(files);
    const { code, stdout, stderr } = await mailflow(["route", "domain.json", ".", ...options], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("./m·[31m.eml for x@shop.example: forwarded\n  by rule ·]0;title·");
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(stdout + stderr).not.toContain("\u202e");
  });

  test("--json escapes what it holds", async () => {
    const argv = ["route", "domain.json", ".", "--json", "--explain"];
    const { stdout } = await mailflow(argv, { cwd: folderWith(files) });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    for (const line of stdout.trimEnd().split("\n")) JSON.parse(line);
  });
});

describe("whatever the bytes of a message are, it is routed", () => {
  test.each([
    ["one field without an end", Buffer.from(`X: ${"x".repeat(2_000_000)}`)],
    ["a header without an end", Buffer.alloc(2_000_000, "X-A: b\n")],
    ["nothing but line feeds", Buffer.alloc(100_000, "\n")],
    ["a body of 8 MB", Buffer.from(`Subject: x\n\n${"long line ".repeat(800_000)}`)],
    ["headers named like members of objects", "__proto__: x\nconstructor: y\ntoString: z\n\nhi\n"],
  ])("%s", async (_, content) => {
    const cwd = folderWith({ "domain.json": RULES, "m.eml": content });
    const argv = ["route", "domain.json", "m.eml", "--recipient", "x@shop.example", "--explain"];
    const { code, stdout } = await mailflow(argv, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^m\.eml for x@shop\.example: forwarded\n/);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(1_000);
  });
});

test.each([
  ["an empty file", new Uint8Array(0), "an empty file"],
  ["binary", bytes(300_000), "it does not begin as a message does"],
  ["text", Buffer.from("Dear diary,\n\ntoday\n"), "it does not begin as a message does"],
  ["UTF-16", Buffer.from("\ufeffSubject: x\n\nx\n", "utf16le"), "it is UTF-16: save it as UTF-8"],
])("what is not mail is not routed to the fallback: %s", async (_, content, said) => {
  const cwd = folderWith({ "domain.json": RULES, "m.eml": content });
  const argv = ["route", "domain.json", "m.eml", "--recipient", "x@shop.example"];
  const { code, stdout, stderr } = await mailflow(argv, { cwd });
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(said);
  expect(stdout).not.toContain("forwarded");
});

describe("a file that cannot be read does not stop the others", () => {
  // Root reads everything: then there is nothing to be tested.
  const isRoot = process.getuid?.() === 0;

  test.skipIf(isRoot)("in a folder", async () => {
    const mail = message({ To: "sales@shop.example" });
    const cwd = folderWith({ "domain.json": ALIAS_DOMAIN, "m/1.eml": mail, "m/2.eml": mail });
    chmodSync(join(cwd, "m/1.eml"), 0o000);
    const { code, stdout } = await mailflow(["route", "domain.json", "m"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("m/1.eml: not routed\n  cannot read `m/1.eml`: permission denied\n");
    expect(stdout).toContain("m/2.eml for sales@shop.example: forwarded\n");
  });

  // Only Linux shows a process its memory as a file.
  test.skipIf(process.platform !== "linux")(
    "what fails while it is read is a record too",
    async () => {
      // A process's own memory: a file that can be opened and gives an error when it is read.
      const cwd = folderWith({ "domain.json": ALIAS_DOMAIN });
      const argv = ["route", "domain.json", "/proc/self/mem", "--json"];
      const { code, stdout } = await mailflow(argv, { cwd });
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({
        message: "/proc/self/mem",
        recipient: null,
        action: null,
        problems: [{ code: "unreadable" }],
      });
    },
  );
});

test("a long body is not repeated for each of the rules that it missed", async () => {
  const rules = Array.from({ length: 200 }, (_, index) => ({
    type: "regex",
    config: { regex: `nothing${index}`, scopes: ["body"], forward: "x@else.test" },
  }));
  const last = { type: "regex", config: { ...rules[0]!.config, regex: "the end" } };
  const mail = message({ To: "x@shop.example" }, `${"filler ".repeat(100_000)}the end`);
  const cwd = folderWith({
    "domain.json": { ...RULES, rules: [...rules, last] },
    "m.eml": mail,
  });
  const argv = ["route", "domain.json", "m.eml", "--json", "--explain"];
  const { stdout } = await mailflow(argv, { cwd });
  const { trace } = JSON.parse(stdout);
  expect(trace).toHaveLength(201);
  expect(trace[0].scopes[0].actual).toBe(`${"filler ".repeat(1_000).slice(0, 1_000)}…`);
  // The span of what matched counts in the whole text.
  const { actual, span } = trace[200].scopes[0];
  expect(actual.slice(span.start, span.end)).toBe("the end");
});

describe("progress", () => {
  const mail = message({ To: "sales@shop.example" });
  const files = {
    "domain.json": ALIAS_DOMAIN,
    ...Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`m/${index}`, mail])),
  };
  const argv = ["route", "domain.json", "m"];

  test("is shown on a terminal on which nothing else appears, and removed", async () => {
    const cwd = folderWith(files);
    const { stderr } = await mailflow(argv, { cwd, terminals: ["stderr"] });
    expect(stderr).toBe("\r50 messages …\u001b[K\r100 messages …\u001b[K\r\u001b[K");
  });

  test.each([[[]], [["stdout"]], [["stdout", "stderr"]]] as const)(
    "not on %j",
    async (terminals) => {
      const cwd = folderWith(files);
      expect((await mailflow(argv, { cwd, terminals })).stderr).toBe("");
    },
  );
});

test("mutate says on a terminal how many changes were tried", async () => {
  const cwd = folderWith({
    "d.json": ALIAS_DOMAIN,
    "m.eml": message({ To: "sales@shop.example" }),
  });
  const argv = ["mutate", "d.json", "m.eml"];
  const { stderr } = await mailflow(argv, { cwd, terminals: ["stderr"] });
  expect(stderr).toMatch(/^(?:\r\d+ changes? tried …\u001b\[K)+\r\u001b\[K$/);
  expect((await mailflow(argv, { cwd })).stderr).toBe("");
});
