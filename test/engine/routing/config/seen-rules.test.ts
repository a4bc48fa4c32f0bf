/** The rules of the domains that were compiled last are recognised, up to a number of rules. */
import { expect, test } from "vitest";
import {
  type RulesById,
  type SeenRule,
  SeenRules,
} from "../../../../src/engine/routing/config/seen-rules.ts";

const rulesOf = (count: number): RulesById =>
  new Map(Array.from({ length: count }, (_, nth) => [`r${nth}`, {} as SeenRule]));

test("the domains that were kept first make room", () => {
  const seen = new SeenRules(5);
  const kept = (): string => ["a", "b", "c"].filter((name) => seen.of(name).size > 0).join("");
  seen.keep("a", rulesOf(2));
  seen.keep("b", rulesOf(3));
  expect(kept()).toBe("ab");
  seen.keep("a", rulesOf(2));
  expect(kept()).toBe("ab");
  seen.keep("c", rulesOf(1));
  expect(kept()).toBe("ac");
  seen.keep("b", rulesOf(3));
  expect(kept()).toBe("bc");
  seen.keep("c", rulesOf(6));
  expect(kept()).toBe("");
  const last = rulesOf(5);
  seen.keep("a", last);
  expect(seen.of("a")).toBe(last);
});
