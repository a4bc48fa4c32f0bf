/** `--domain-fuel`: the budget of a domain, in every command that reads one. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const SUITE = {
  domain: "d.json",
  tests: [{ name: "a", message: { recipient: "sales" }, expect: { alias: "sales" } }],
};
const RULE = { id: "r", type: "alias", config: { alias: "sales", forward: "r@else.test" } };

test.each([
  ["check", "d.json"],
  ["route", "d.json", "m.eml"],
  ["test"],
  ["why", "d.json", "m.eml", "--to", "sales@else.test"],
  ["diff", "d.json", "d.json"],
  ["shadow", "d.json", "rule.json"],
  ["witness", "d.json"],
  ["mutate", "d.json", "m.eml"],
  ["bench", "d.json", "m.eml"],
  ["replay", "d.json", "m.eml"],
])(
  "%s refuses a domain that costs more than --domain-fuel, and names the option",
  async (...argv) => {
    const cwd = folderWith({
      "d.json": ALIAS_DOMAIN,
      "d.mailtest.json": SUITE,
      "rule.json": RULE,
      "m.eml": message({ To: "sales@shop.example" }),
    });
    const small = await mailflow([...argv, "--domain-fuel", "1000"], { cwd });
    const { code, stdout, stderr } = small;
    expect([code, stdout + stderr]).toEqual([
      argv[0] === "check" ? 1 : 2,
      expect.stringMatching(/domain\/too-costly\].* raise `--domain-fuel`\n/),
    ]);
    const large = await mailflow([...argv, "--domain-fuel", "100000"], { cwd });
    expect(large.stdout + large.stderr).not.toContain("too-costly");
  },
);

test.each(["0", "-1", "x", "", "Infinity"])("--domain-fuel=%s is refused", async (written) => {
  const cwd = folderWith({ "d.json": ALIAS_DOMAIN });
  const { code, stderr } = await mailflow(["check", "d.json", `--domain-fuel=${written}`], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining("write a number from 1")]);
});

test("a domain above the default is replayed within a larger budget", async () => {
  const regex = `invoice ${"x".repeat(1_000)}`;
  const rules = Array.from({ length: 760 }, (_, nth) => ({
    id: `r${nth}`,
    type: "regex",
    config: { regex, scopes: ["subject"], forward: "r@else.test" },
  }));
  const cwd = folderWith({
    "d.json": { ...ALIAS_DOMAIN, routing_engine: "rules", rules },
    "m.eml": message({ To: "sales@shop.example" }),
  });
  const argv = ["replay", "d.json", "m.eml", "--workers", "0"];
  expect((await mailflow(argv, { cwd })).stderr).toContain("domain/too-costly");
  const raised = [...argv, "--domain-fuel", String(2 * LIMITS.domainFuelMax)];
  expect(await mailflow(raised, { cwd })).toMatchObject({ code: 0 });
});
