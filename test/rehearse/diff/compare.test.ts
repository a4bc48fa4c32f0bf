import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import {
  type Change,
  type Comparison,
  compareDomains,
} from "../../../src/rehearse/diff/compare.ts";
import { deltasBetween, Versions } from "../../../src/rehearse/diff/config-delta.ts";
import { withNewRule } from "../../../src/rehearse/diff/shadow.ts";
import { deciderKey, outcomeOf } from "../../../src/rehearse/outcome.ts";
import type { RehearsedDomain } from "../../../src/rehearse/rehearsed-domain.ts";
import { inlineFacts } from "../../../src/rehearse/test/inline-message.ts";
import { pinsOf } from "../../../src/rehearse/test/pin.ts";
import { runTest } from "../../../src/rehearse/test/rule-test.ts";
import { readSuite } from "../../../src/rehearse/test/test-suite.ts";
import { DEMO, demoConfig, demoFacts, demoMessages, demoWith, rehearsed } from "../demo.ts";

const demo = rehearsed(demoConfig());

async function compare(
  before: RehearsedDomain,
  after: RehearsedDomain,
): Promise<Comparison & { all: Change[] }> {
  const all: Change[] = [];
  const onChange = (change: Change): void => {
    all.push(change);
  };
  return { ...(await compareDomains(before, after, demoMessages(), { onChange })), all };
}

/** A domain changed in five ways, each of which is felt. */
function changedInFiveWays(): RehearsedDomain {
  const config = demoConfig();
  const rule = (id: string) => config.rules.find((each) => each.id === id)!;
  rule("junk").config.regex = "(?i)prize\\s+draw|act now|lunch";
  rule("japan-desk").rank = 5;
  rule("newsletters").active = false;
  rule("orders").config.forward = "team@fulfil.example";
  rule("scans").config.expression = 'attachments.exists(file, file.contentType == "image/tif")';
  return rehearsed(config);
}

describe("identities", () => {
  test("a domain does not differ from itself", async () => {
    expect(await compare(demo, demo)).toMatchObject({
      messages: 9,
      decisions: 10,
      changed: 0,
      groups: [],
      deltas: [],
    });
  });

  test("b compared with a mirrors a compared with b", async () => {
    const there = await compare(demo, changedInFiveWays());
    const back = await compare(changedInFiveWays(), demo);
    expect(back.changed).toBe(there.changed);
    const key = ({ message, recipient }: Change): string => `${message} ${recipient}`;
    expect(back.all.map(key)).toEqual(there.all.map(key));
    for (const [index, change] of there.all.entries()) {
      expect(back.all[index]).toMatchObject({ before: change.after, after: change.before });
    }
    const groups = (comparison: Comparison): string[] =>
      comparison.groups
        .map(({ from, to, count }) => `${deciderKey(from)} ${deciderKey(to)} ${count}`)
        .sort();
    const mirrored = back.groups.map(({ from, to, ...rest }) => ({ ...rest, from: to, to: from }));
    expect(groups({ ...back, groups: mirrored })).toEqual(groups(there));
  });

  test("sums add up: changes are those of the groups, and nobody gives more than it had", async () => {
    const { groups, changed, all, decisions } = await compare(demo, changedInFiveWays());
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(changed);
    expect(all).toHaveLength(changed);
    for (const { count, fromHad, toHas } of groups) {
      expect(count).toBeLessThanOrEqual(fromHad);
      expect(count).toBeLessThanOrEqual(toHas);
      expect(fromHad).toBeLessThanOrEqual(decisions);
    }
  });

  test("all differences applied give the other domain", async () => {
    const after = changedInFiveWays();
    const versions = new Versions(demo, after);
    const applied = versions.with(versions.deltas)!;
    expect(deltasBetween(applied, after)).toEqual([]);
    const decided = ({ domain }: RehearsedDomain, facts: Facts): object => {
      const { rank: _, ...outcome } = { rank: 0, ...resolve(domain, facts) };
      return { ...outcome, decidedBy: null };
    };
    for (const facts of await demoFacts()) {
      expect(decided(applied, facts)).toEqual(decided(after, facts));
    }
  });
});

test("every change is as it is claimed under both domains", async () => {
  const after = changedInFiveWays();
  const { all } = await compare(demo, after);
  const facts = await demoFacts();
  expect(all.length).toBeGreaterThan(3);
  for (const change of all) {
    const same = facts.filter(({ recipient }) => recipient === change.recipient);
    const outcomes = (domain: RehearsedDomain) =>
      same.map((each) => {
        const resolved = resolve(domain.domain, each);
        return resolved.verdict === "decided" ? outcomeOf(resolved) : null;
      });
    expect(outcomes(demo)).toContainEqual(change.before.outcome);
    expect(outcomes(after)).toContainEqual(change.after.outcome);
  }
});

describe("causes", () => {
  test.each<
    [
      string,
      string,
      (rule: { rank: number; active?: boolean; config: Record<string, unknown> }) => void,
      number,
    ]
  >([
    [
      "regex",
      "junk",
      (rule) => {
        rule.config.regex = "(?i)lunch";
      },
      2,
    ],
    [
      "active",
      "newsletters",
      (rule) => {
        rule.active = false;
      },
      1,
    ],
    [
      "forward",
      "orders",
      (rule) => {
        rule.config.forward = "team@fulfil.example";
      },
      1,
    ],
    [
      "expression",
      "scans",
      (rule) => {
        rule.config.expression = "size < 0";
      },
      1,
    ],
    [
      "scopes",
      "one-time-codes",
      (rule) => {
        rule.config.scopes = ["subject"];
      },
      1,
    ],
    [
      "alias",
      "orders",
      (rule) => {
        rule.config.alias = "order";
      },
      1,
    ],
  ])("%s of %s is named", async (field, id, change, changed) => {
    const { all } = await compare(demo, demoWith(id, change));
    expect(all).toHaveLength(changed);
    for (const { cause } of all) expect(cause).toMatchObject([{ of: "rule", id, field }]);
  });

  test("a rank that moved", async () => {
    const rule = (id: string, rank: number): object => {
      const config = { regex: id, scopes: ["subject"], forward: `${id}@else.test` };
      return { id, rank, type: "regex", config };
    };
    const base = { domain: "shop.example", routing_engine: "rules" };
    const before = rehearsed({ ...base, rules: [rule("a", 1), rule("b", 2)] });
    const after = rehearsed({ ...base, rules: [rule("a", 1), rule("b", 0.5)] });
    async function* mail() {
      const bytes = Buffer.from("To: x@shop.example\nSubject: a b\n\n");
      yield { name: "m", open: () => bytes };
    }
    const { groups } = await compareDomains(before, after, mail());
    expect(groups).toMatchObject([{ from: { id: "a" }, to: { id: "b" }, count: 1, fromHad: 1 }]);
    expect(groups[0]?.examples[0]?.cause).toEqual([
      { of: "rule", id: "b", name: "b", field: "rank", from: 2, to: 0.5 },
    ]);
  });

  test("of five ways at once each change has its own", async () => {
    const { all, deltas } = await compare(demo, changedInFiveWays());
    expect(deltas.map(({ id, field }) => `${id} ${field}`).sort()).toEqual([
      "japan-desk rank",
      "junk regex",
      "newsletters active",
      "orders forward",
      "scans expression",
    ]);
    const causes = all.map(({ message, cause }) => [
      message.slice(9, 11),
      ...cause.map(({ id }) => id),
    ]);
    expect(causes).toEqual([
      ["01", "orders"],
      ["04", "newsletters"],
      ["08", "scans"],
      ["09", "junk"],
    ]);
  });

  test("two differences that only together turn a message are both named", async () => {
    const after = demoWith("summer-sale", (rule) => {
      rule.active = true;
      rule.config.regex = "Lunch";
    });
    const { all } = await compare(demo, after);
    expect(all).toMatchObject([{ cause: [{ field: "active" }, { field: "regex" }] }]);
  });

  test("rules that are new or gone, and the domain's own fields", async () => {
    const config = demoConfig();
    config.rules = config.rules.filter(({ id }) => id !== "invoices");
    config.rules_fallback_email = null;
    const { all } = await compare(demo, rehearsed(config));
    expect(
      all.map(({ cause }) => cause.map(({ of, id, field }) => `${of} ${id} ${field}`)),
    ).toEqual([
      ["domain  rules_fallback_email"],
      ["domain  rules_fallback_email", "rule invoices removed"],
      ["domain  rules_fallback_email"],
    ]);
  });
});

describe("a new rule in the shadow", () => {
  const rule = {
    type: "regex",
    config: { regex: "(?i)lunch|code", scopes: ["subject", "body"], forward: "x@else.test" },
  };

  test("takes what it takes at its rank", async () => {
    const first = withNewRule(demo, rule, 1);
    const last = withNewRule(demo, rule, null);
    if (!first.ok || !last.ok) throw new Error("it compiles");
    const taken = async (after: RehearsedDomain): Promise<string[]> =>
      (await compare(demo, after)).groups
        .map(({ from, count }) => `${count} of ${deciderKey(from)}`)
        .sort();
    expect(await taken(first.rehearsed)).toEqual(["1 of fallback", "1 of rule one-time-codes"]);
    expect(await taken(last.rehearsed)).toEqual(["1 of fallback"]);
  });

  test("that does not compile is told with paths of its own", () => {
    const wrong = withNewRule(
      demo,
      { type: "regex", config: { regex: "(", scopes: ["body"], forward: "x@else.test" } },
      null,
    );
    expect(wrong).toMatchObject({ ok: false, diagnostics: [{ path: ["config", "regex"] }] });
    expect(withNewRule(demo, 7, null)).toMatchObject({ ok: false });
  });
});

describe("pins and tests hold the example", () => {
  /** Each rule broken in the way that its type can be. */
  function broken(id: string): RehearsedDomain {
    return demoWith(id, (rule) => {
      if (rule.active === false) rule.active = true;
      else if ("regex" in rule.config) rule.config.regex = "(no such text)";
      else if ("alias" in rule.config) rule.config.alias = "no-such-alias";
      else rule.config.expression = "size < 0";
    });
  }

  async function pinned(): Promise<
    { rule: string; holds: (domain: RehearsedDomain) => boolean }[]
  > {
    const facts = await demoFacts();
    const pins = [];
    let place = 0;
    for await (const { expect: expected } of pinsOf(demo, demoMessages())) {
      const mine = facts[place++]!;
      pins.push({
        rule: expected.rule ?? "",
        holds: (domain: RehearsedDomain) => runTest(domain, mine, expected).passed,
      });
    }
    return pins;
  }

  test("pins pass at once", async () => {
    const pins = await pinned();
    expect(pins).toHaveLength(10);
    expect(pins.filter(({ holds }) => !holds(demo))).toEqual([]);
  });

  test("a pin fails when the rule it pins is broken", async () => {
    const pins = await pinned();
    const rules = new Set(pins.map(({ rule }) => rule).filter((id) => id !== ""));
    expect(rules.size).toBe(8);
    for (const id of rules) {
      const failed = pins.filter(({ holds }) => !holds(broken(id)));
      expect(
        failed.map(({ rule }) => rule),
        id,
      ).toContain(id);
    }
  });

  test("the tests beside the example fail when any of its rules is broken, in whatever field", async () => {
    const read = readSuite(JSON.parse(readFileSync(`${DEMO}domain.mailtest.json`, "utf8")));
    if (!read.ok) throw new Error("the suite is read");
    const stored = await demoFacts();
    const names: string[] = [];
    for await (const { name } of demoMessages()) names.push(name);
    const factsByName = new Map(
      names.map((name, index) => [name, stored[index === 0 ? 0 : index + 1]!]),
    );
    const holds = (domain: RehearsedDomain): boolean =>
      read.suite.tests.every(({ message, expect: expected }) => {
        const facts =
          typeof message === "string"
            ? factsByName.get(message)!
            : inlineFacts({ ...message, recipient: `${message.recipient}@paperlane.example` });
        return runTest(domain, facts, expected).passed;
      });
    expect(holds(demo)).toBe(true);
    for (const { id, active } of demoConfig().rules) {
      expect(holds(broken(id)), `${id} broken`).toBe(false);
      if (active === false) continue;
      expect(
        holds(
          demoWith(id, (rule) => {
            rule.active = false;
          }),
        ),
        `${id} off`,
      ).toBe(false);
      expect(
        holds(
          demoWith(id, (rule) => {
            rule.config.forward = "nobody@else.test";
          }),
        ),
        `${id} forwards`,
      ).toBe(false);
    }
  });
});
