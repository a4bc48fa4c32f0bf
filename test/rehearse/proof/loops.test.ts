import { expect, test } from "vitest";
import { findLoops } from "../../../src/rehearse/proof/loops.ts";
import { atOnce } from "../../../src/rehearse/proof/slices.ts";
import type { RehearsedDomain } from "../../../src/rehearse/rehearsed-domain.ts";
import { rehearsed } from "../demo.ts";

const STATES_MAX = 1_000_000;

const alias = (name: string, forward: string): object => ({ alias: name, forward });
const cel = (expression: string, forward: string): object => ({
  type: "cel",
  config: { expression, forward },
});

const byAliases = (domain: string, ...aliases: object[]): RehearsedDomain =>
  rehearsed({ domain, routing_engine: "alias", aliases });
const byRules = (domain: string, ...rules: object[]): RehearsedDomain =>
  rehearsed({ domain, routing_engine: "rules", rules });

function circles(...domains: RehearsedDomain[]): readonly string[] {
  return atOnce(findLoops(domains, STATES_MAX)).loops.map(({ addresses }) => addresses.join(" > "));
}

test("two domains that send to each other", () => {
  const shop = byAliases("shop.example", alias("info", "hello@office.example"));
  const office = byAliases("office.example", alias("hello", "info@shop.example"));
  expect(circles(shop, office)).toHaveLength(1);
  expect(circles(shop)).toEqual([]);
});

test("three domains, one of them by its fallback", () => {
  const shop = byAliases("shop.example", alias("info", "a@office.example"));
  const office = rehearsed({
    domain: "office.example",
    routing_engine: "rules",
    rules_fallback_email: "b@lab.example",
    rules: [],
  });
  const lab = byAliases("lab.example", alias("*", "info@shop.example"));
  const [circle, ...more] = circles(shop, office, lab);
  expect(more).toEqual([]);
  expect(circle?.split(" > ").sort()).toEqual([
    "a@office.example",
    "b@lab.example",
    "info@shop.example",
  ]);
});

test("a circle needs one message that goes all the way round", () => {
  const shop = (subject: string): RehearsedDomain =>
    byRules("shop.example", cel(`subject.contains("${subject}")`, "a@office.example"));
  const office = byRules("office.example", cel('subject == "order"', "info@shop.example"));
  expect(circles(shop("ord"), office)).toHaveLength(1);
  expect(circles(shop("invoice"), office)).toEqual([]);
});

test("a rule before it that takes the mail away breaks the circle", () => {
  const shop = byRules(
    "shop.example",
    { ...cel("true", "x@else.test"), rank: 1 },
    { ...cel("true", "a@office.example"), rank: 2 },
  );
  expect(circles(shop, byAliases("office.example", alias("a", "i@shop.example")))).toEqual([]);
});

test("a domain that sends to itself under another name of it is no circle: it does not compile", () => {
  expect(() => byAliases("shop.example", alias("a", "b@shop.example"))).toThrow();
});

test("what the recipient alone decides takes no budget, and a spent budget is told", () => {
  const names = Array.from({ length: 200 }, (_, index) => `a${index}`);
  const to = (domain: string): object[] => names.map((name) => alias(name, `${name}@${domain}`));
  const [shop, office] = [
    byAliases("shop.example", ...to("office.example")),
    byAliases("office.example", ...to("shop.example")),
  ];
  expect(atOnce(findLoops([shop, office], 2_000))).toMatchObject({ isComplete: true });
  expect(circles(shop, office)).toHaveLength(names.length);
  const rules = names.map((name) => cel(`subject.contains("${name}")`, "a1@office.example"));
  expect(atOnce(findLoops([byRules("shop.example", ...rules), office], 100))).toEqual({
    loops: [],
    isComplete: false,
  });
});
