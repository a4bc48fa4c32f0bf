import { describe, expect, test } from "vitest";
import { mailflow } from "./memory-io.ts";

describe("help and version", () => {
  test("--help lists the commands on standard output", async () => {
    const { code, stdout, stderr } = await mailflow(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("route <domain.json> <messages>… [options]");
    expect(stdout).toContain("check <domain.json>… [options]");
    expect(stderr).toBe("");
  });

  test.each(["-h", "help"])("%s is --help", async (written) => {
    expect(await mailflow([written])).toEqual(await mailflow(["--help"]));
  });

  test("without a command the help goes to standard error", async () => {
    const { code, stdout, stderr } = await mailflow([]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe((await mailflow(["--help"])).stdout);
  });

  test.each(["route", "check"])(
    "%s --help names every option, wherever it stands",
    async (command) => {
      const { code, stdout } = await mailflow([command, "--json", "--help"]);
      expect(code).toBe(0);
      await expect(stdout).toMatchFileSnapshot(`golden/help-${command}.txt`);
      expect((await mailflow([command, "-h"])).stdout).toBe(stdout);
    },
  );

  test("--version is that of the package", async () => {
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
    expect(await mailflow(["--version"])).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: "",
    });
  });
});

describe("wrong use ends with 2, says what to do, and writes nothing to standard output", () => {
  test.each([
    [["rotue"], "no command `rotue`: did you mean `route`?"],
    [["frobnicate"], "no command `frobnicate`"],
    [["--verison"], "no option `--verison`: did you mean `--version`?"],
    [["--json", "route"], "no option `--json`: name a command first"],
    [["route"], "`<domain.json>` is missing"],
    [["route", "d.json"], "`<messages>` is missing"],
    [["why", "a.json", "b.eml", "c.eml"], "`c.eml` is one argument too many"],
    [["route", "d", "m", "--recipent", "a@b.example"], "did you mean `--recipient`?"],
    [["route", "d", "m", "-x"], "no option `-x`"],
    [["route", "d", "m", "--sender"], "`--sender` needs a value: write `--sender <address>`"],
    [["route", "d", "m", "--sender", "--json"], "`--sender` needs a value"],
    [["route", "d", "m", "--json=yes"], "`--json` takes no value"],
    [["route", "d", "m", "--sender", "a@b.test", "--sender=<>"], "`--sender` is given twice"],
    [["route", "d", "m", "--sender-source", "both"], "write `header` or `envelope`"],
    [["check", "d", "--recipient", "a@b.test"], "no option `--recipient`"],
    [["diff", "a", "b", "m", "--force"], "`--force` needs `--pin`"],
    [["witness", "d", "--force"], "`--force` needs `--write`"],
    [["merge", "p", "--force"], "`--force` needs `--out`"],
    [["replay", "d", "m", "--force"], "`--force` needs `--out` or `--resume`"],
    [["replay", "d", "m", "--sums-only"], "`--sums-only` needs `--shard`"],
    [["bench", "d", "m", "--fail-over", "2"], "`--fail-over` needs `--compare`"],
    [["diff", "a", "b", "m", "--markdown", "--json"], "exclude each other: give one"],
    [["shadow", "a", "r", "m", "--json", "--markdown"], "exclude each other: give one"],
    [["bench", "d", "m", "--markdown", "--json"], "exclude each other: give one"],
    [["diff", "a", "b", "--equal", "--allow-changes"], "exclude each other: give one"],
  ])("%j", async (argv, said) => {
    const { code, stdout, stderr } = await mailflow(argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
    expect(stderr).toMatch(/see `mailflow( \w+)? --help`\n$/);
  });

  test("what was typed cannot steer the terminal", async () => {
    const { stderr } = await mailflow(["\u001b[2Jroute"]);
    expect(stderr).toContain("no command `·[2Jroute`");
    expect(stderr).not.toContain("\u001b");
  });
});
