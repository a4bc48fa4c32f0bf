/** What the editor offers in JSON is what the schema of domain files has, at that place. */
import { describe, expect, test } from "vitest";
import { jsonWordSaid, jsonWordsAt } from "../../../src/page/editor/json-words.ts";

/** The words where `|` stands. */
function at(text: string, root: "domain" | "rule" = "rule"): readonly string[] | null {
  const offset = text.indexOf("|");
  const place = jsonWordsAt(text.replace("|", ""), offset, root);
  return place === null ? null : place.words.map((word) => word.text);
}

describe("keys", () => {
  test("of a rule, without those it has", () => {
    expect(at('{ "type": "regex", | }')).toEqual(
      expect.arrayContaining(['"config"', '"rank"', '"active"', '"id"']),
    );
    expect(at('{ "type": "regex", | }')).not.toContain('"type"');
  });

  test("of a config, by the rule's type, wherever the type stands", () => {
    expect(at('{ "type": "regex", "config": { | } }')).toEqual([
      '"regex"',
      '"scopes"',
      '"forward"',
    ]);
    expect(at('{ "config": { | }, "type": "cel" }')).toEqual(['"expression"', '"forward"']);
    expect(at('{ "type": "alias", "config": { "alias": "a", "|')).toEqual(['"forward"']);
    expect(at('{ "config": { | } }')).toEqual([]);
  });

  test("of a domain file, and of what is in it", () => {
    expect(at('{ "domain": "x.example", "|" }', "domain")).toEqual(
      expect.arrayContaining([
        '"routing_engine"',
        '"rules_fallback_email"',
        '"rules"',
        '"aliases"',
      ]),
    );
    expect(at('{ "aliases": [{ "alias": "a", | }] }', "domain")).toContain('"forward"');
    expect(
      at('{ "rules": [{ "type": "cel" }, { "type": "regex", "config": { | } }] }', "domain"),
    ).toContain('"scopes"');
  });
});

describe("values", () => {
  test("of which there are few", () => {
    expect(at('{ "type": | }')).toEqual(['"alias"', '"regex"', '"cel"']);
    expect(at('{ "type": "re|" }')).toEqual(['"alias"', '"regex"', '"cel"']);
    expect(at('{ "active": | }')).toEqual(["true", "false"]);
    expect(at('{ "domain": "x", "routing_engine": | }', "domain")).toEqual([
      '"alias"',
      '"rules"',
      "null",
    ]);
  });

  test("scopes of a pattern, without those that are listed", () => {
    const scopes = ['"recipient"', '"sender"', '"subject"', '"body"'];
    expect(at('{ "type": "regex", "config": { "scopes": [|] } }')).toEqual(scopes);
    expect(at('{ "type": "regex", "config": { "scopes": ["subject", "|"] } }')).toEqual(
      scopes.filter((scope) => scope !== '"subject"'),
    );
  });
});

test("nothing outside of an object, or behind a whole value", () => {
  for (const text of ["|", "{}|", '{ "type": "cel" | }', "[1, 2] |", "null|"]) {
    expect(at(text), text).toBeNull();
  }
});

test("a word begins where it was begun, quotes and all", () => {
  const text = '{ "type": "regex", "conf" }';
  const start = text.indexOf('"conf');
  expect(jsonWordsAt(text, start + 5, "rule")?.from).toBe(start);
});

test("keys and values say what they are for", () => {
  const text = '{ "type": "regex", "config": { "scopes": ["subject"] } }';
  expect(jsonWordSaid(text, text.indexOf("scopes"), "rule")).toBe(
    "Where to search; one match suffices.",
  );
  expect(jsonWordSaid(text, text.indexOf("regex"), "rule")).toContain("searches a pattern");
  expect(jsonWordSaid(text, 0, "rule")).toBeNull();
});

test("any text has an answer", () => {
  const text = '{ "type": "regex", "config": { "regex": "a\\"b", "scopes": ["x", {] }, "y }';
  for (let offset = 0; offset <= text.length; offset++) {
    for (const root of ["domain", "rule"] as const) {
      const place = jsonWordsAt(text, offset, root);
      if (place !== null) expect(place.from).toBeLessThanOrEqual(offset);
    }
  }
});
