import { describe, expect, test } from "vitest";
import { ALIAS_DOMAIN, folderWith } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const BROKEN = `{
  "domain": "shop.example",
  "routing_engine": "rules",
  "rules": [
    { "id": "a", "type": "regex", "config": { "regex": "(unclosed", "scopes": ["subject"], "forward": "a@else.test" } },
    { "id": "b", "type": "alias", "config": { "alias": "x", "forward": "nowhere" } },
    { "id": "c", "type": "alias", "config": { "alias": "y" } }
  ]
}
`;

async function check(content: unknown, ...options: string[]): ReturnType<typeof mailflow> {
  const cwd = folderWith({ "domain.json": content });
  return mailflow(["check", "domain.json", ...options], { cwd });
}

describe("a domain without errors", () => {
  test("is told in one line", async () => {
    expect(await check(ALIAS_DOMAIN)).toEqual({
      code: 0,
      stdout: "shop.example: routing engine alias, 4 aliases, 0 rules, no errors\n",
      stderr: "",
    });
  });

  test("may be the API's domain object, without aliases or rules, with routing disabled", async () => {
    const { code, stdout } = await check({
      domain: { domain: "SHOP.example", routing_engine: null },
    });
    expect(code).toBe(0);
    expect(stdout).toBe("shop.example: routing disabled, 0 aliases, 0 rules, no errors\n");
  });

  test("may begin with a byte order mark", async () => {
    const { code } = await check(`\ufeff${JSON.stringify(ALIAS_DOMAIN)}`);
    expect(code).toBe(0);
  });
});

describe("a domain with errors", () => {
  test("has them all told with their places in the file, and ends with 1", async () => {
    const { code, stdout, stderr } = await check(BROKEN);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain("domain.json:5:");
    expect(stdout).toContain("error[pattern/syntax] rules[0].config.regex");
    expect(stdout).toContain(
      "domain.json:6:72: error[destination/invalid] rules[1].config.forward",
    );
    expect(stdout).toContain("\n    nowhere\n    ^^^^^^^\n");
    // A field that is missing is placed at what misses it.
    expect(stdout).toContain(
      "domain.json:7:45: error[config/missing-field] rules[2].config.forward",
    );
    expect(stdout).toMatch(/\ndomain\.json: 3 errors\n$/);
  });

  test("--json has the same, for programs", async () => {
    const { code, stdout, stderr } = await check(BROKEN, "--json");
    expect([code, stderr]).toEqual([1, ""]);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({ file: "domain.json", ok: false, domain: null });
    expect(told.diagnostics.map(({ code: said }: { code: string }) => said)).toEqual([
      "pattern/syntax",
      "destination/invalid",
      "config/missing-field",
    ]);
    expect(told.diagnostics[1]).toMatchObject({
      path: ["rules", 1, "config", "forward"],
      span: { start: 0, end: 7 },
      line: 6,
      column: 72,
    });
  });

  test("--json of a good domain", async () => {
    const { stdout } = await check(ALIAS_DOMAIN, "--json");
    expect(JSON.parse(stdout)).toEqual({
      file: "domain.json",
      ok: true,
      domain: "shop.example",
      diagnostics: [],
    });
  });

  test("cannot steer the terminal with what it holds", async () => {
    const { stdout } = await check({ domain: "\u001b[31mx\u0007", routing_engine: "\u009b2J" });
    expect(stdout).toContain("·[31mx·");
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });

  test("each place is right when many stand in one file", async () => {
    const alias = '{ "alias": "a b", "forward": "x@else.test" }';
    const lines = Array.from({ length: 500 }, () => `    ${alias}`).join(",\r\n");
    const text = `{ "domain": "shop.example", "routing_engine": "alias", "aliases": [\r\n${lines}\r\n] }`;
    const { diagnostics } = JSON.parse((await check(text, "--json")).stdout);
    const invalid = diagnostics.filter(({ code }: { code: string }) => code === "alias/invalid");
    expect(invalid).toHaveLength(500);
    invalid.forEach((diagnostic: { line: number; column: number }, index: number) => {
      expect(diagnostic).toMatchObject({ line: index + 2, column: 16 });
    });
  });
});

describe("what is not JSON", () => {
  test("has its first mistake told with line, column and caret", async () => {
    const { code, stdout } = await check('{\n  "domain": "shop.example",\n}\n');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'domain.json:2:27: error[config/not-json] a comma before `}`: remove it\n      "domain": "shop.example",\n                              ^\ndomain.json: 1 error\n',
    );
  });

  test("an empty file", async () => {
    const { code, stdout } = await check("");
    expect(code).toBe(1);
    expect(stdout).toContain("domain.json:1:1: error[config/not-json] the text ends where a value");
  });

  test("bytes that are not UTF-8 are told with their place", async () => {
    const bytes = Buffer.concat([Buffer.from('{\n"domain": "sh'), Buffer.from([0xff, 0x22])]);
    const { code, stdout } = await check(bytes);
    expect(code).toBe(1);
    expect(stdout).toContain("domain.json:2:14: error[config/not-json] not UTF-8 from here on");
  });

  test("JSON that is no object", async () => {
    const { code, stdout } = await check("[1, 2]");
    expect(code).toBe(1);
    expect(stdout).toContain("domain.json:1:1: error[config/not-an-object] (root)");
  });
});

describe("a file that cannot be read ends with 2", () => {
  test("none there", async () => {
    const { code, stdout, stderr } = await mailflow(["check", "no.json"], { cwd: folderWith({}) });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("cannot read `no.json`: there is no such file");
  });

  test("a folder", async () => {
    const cwd = folderWith({ "folder/x": "" });
    const { code, stderr } = await mailflow(["check", "folder"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("`folder` is a folder: name a domain file");
  });
});
