/** Edits of a domain on the page: ranks stay in order, nothing is lost, undo goes all the way back. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addRule,
  changeRule,
  type DomainDraft,
  domainFile,
  moveRule,
  rankBetween,
  readDomain,
  removeRule,
  rulesInOrder,
} from "../../../src/page/model/domain.ts";
import {
  beginHistory,
  edit,
  editsOf,
  markSaved,
  rebase,
  redo,
  undo,
} from "../../../src/page/model/history.ts";

const rule = (id: string, rank: number) => ({
  id,
  type: "alias",
  rank,
  config: { alias: id, forward: `${id}@mail.example` },
});
const domainOf = (...ranks: number[]): DomainDraft =>
  readDomain({
    domain: "shop.example",
    routing_engine: "rules",
    note: "kept",
    rules: ranks.map((rank, index) => rule(`r${index}`, rank)),
  });
const order = (domain: DomainDraft): string[] => rulesInOrder(domain).map(({ id }) => id);

test("a file keeps what the page does not know", () => {
  const read = JSON.parse(domainFile(domainOf(10, 20)));
  expect(read).toMatchObject({ domain: "shop.example", note: "kept" });
  expect(() => readDomain([])).toThrow("a domain file is a JSON object");
  expect(() => readDomain({})).toThrow("`domain` is missing");
});

test("a moved rule takes the roundest rank between its neighbours", () => {
  expect(rankBetween(40, 50)).toBe(45);
  expect(rankBetween(1, 2)).toBe(1.5);
  expect(rankBetween(undefined, 10)).toBe(5);
  expect(rankBetween(80, undefined)).toBe(90);
  const moved = moveRule(domainOf(10, 20, 30), "r2", 1);
  expect(rulesInOrder(moved).map(({ id, rank }) => [id, rank])).toEqual([
    ["r0", 10],
    ["r2", 15],
    ["r1", 20],
  ]);
});

test("whatever is moved anywhere, the order is the one asked for", () => {
  const ranks = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 8 });
  const moves = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 12 });
  fc.assert(
    fc.property(ranks, moves, (given, places) => {
      let domain = domainOf(...given);
      for (const [which, where] of places) {
        const before = order(domain);
        const id = before[which % before.length]!;
        const place = where % before.length;
        domain = moveRule(domain, id, place);
        const wanted = before.filter((each) => each !== id);
        wanted.splice(place, 0, id);
        expect(order(domain)).toEqual(wanted);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

describe("history", () => {
  test("undo leads back, redo forth, and typing in one field is one step", () => {
    let history = beginHistory(domainOf(10));
    const forward = (to: string) => changeRule(history.draft, "r0", { config: { forward: to } });
    history = edit(history, forward("a"), "forward of r0");
    history = edit(history, forward("ab"), "forward of r0");
    history = edit(history, changeRule(history.draft, "r0", { active: false }), "switch r0 off");
    expect(history.past).toHaveLength(2);
    expect(undo(undo(history)).draft).toEqual(history.saved);
    expect(redo(redo(undo(undo(history)))).draft).toEqual(history.draft);
  });

  test("edits are said in words, and saving ends them", () => {
    let history = beginHistory(domainOf(10, 20, 30));
    let { domain } = addRule(moveRule(history.draft, "r2", 0), { type: "alias", config: {} });
    domain = removeRule(changeRule(domain, "r0", { active: false }), "r1");
    history = edit(history, domain, "many");
    expect(editsOf(history)).toEqual([
      { id: "r0", what: "switched off" },
      { id: "r2", what: "rank 30 → 5" },
      { id: "new-rule", what: "new" },
      { id: "r1", what: "removed" },
    ]);
    expect(editsOf(markSaved(history, history.draft))).toEqual([]);
  });

  test("an edit made while others are being saved stays an edit", () => {
    let history = beginHistory(domainOf(10, 20));
    history = edit(history, changeRule(history.draft, "r0", { active: false }), "switch r0 off");
    const { draft } = history;
    history = edit(history, changeRule(history.draft, "r1", { active: false }), "switch r1 off");
    expect(editsOf(markSaved(history, draft))).toEqual([{ id: "r1", what: "switched off" }]);
  });

  test("what somebody else saves is taken in; what is edited here stays, and nothing else is an edit", () => {
    const saved = domainOf(10, 20, 30, 40);
    let mine = changeRule(saved, "r0", { active: false });
    mine = addRule(removeRule(mine, "r1"), { type: "alias", config: {} }).domain;
    const history = edit(beginHistory(saved), mine, "many");
    let live = changeRule(changeRule(saved, "r0", { rank: 11 }), "r2", { rank: 31 });
    live = addRule(removeRule(live, "r3"), { type: "alias", config: {}, id: "theirs" }).domain;
    const after = rebase(history, { ...live, rules_fallback_email: "b@x.example" });
    expect(editsOf(after)).toEqual([
      { id: "r0", what: "rank 11 → 10, switched off" },
      { id: "new-rule", what: "new" },
      { id: "r1", what: "removed" },
    ]);
    expect(after.draft.rules.map(({ id }) => id)).toEqual(["r0", "r2", "theirs", "new-rule"]);
    expect(after.draft.rules_fallback_email).toBe("b@x.example");
    expect(rebase(after, after.saved)).toBe(after);
  });
});
