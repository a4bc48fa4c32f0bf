/** Every case of the golden corpus, with each kind of line ending and by each way of resolving. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { STAGES } from "../../src/engine/facts/facts.ts";
import type { Resolution } from "../../src/engine/routing/resolution.ts";
import { type GoldenCase, parseExpected, readGoldenCases } from "./golden-case.ts";
import { runCase } from "./outcome.ts";

const ROOT = fileURLToPath(new URL("../../corpus/golden", import.meta.url));
const CASES_MIN = 80;
const FAMILIES_MIN = 10;

const ENDINGS = { lf: "\n", crlf: "\r\n" } as const;

/** The messages that a case is run on, by the name of their line endings. */
function variantsOf(golden: GoldenCase): readonly (readonly [string, Uint8Array])[] {
  const { message, expected } = golden;
  if (expected.lineEndings !== undefined) return [["stored", message]];
  const text = message.toString("latin1").replaceAll("\r\n", "\n");
  return Object.entries(ENDINGS).map(([name, ending]) => [
    name,
    Buffer.from(text.replaceAll("\n", ending), "latin1"),
  ]);
}

function needsOf(resolution: Resolution): number {
  return resolution.verdict === "undecided" ? STAGES.indexOf(resolution.needs) : -1;
}

const cases = readGoldenCases(ROOT);
const families = [...new Set(cases.map(({ family }) => family))];

test("there are cases enough", () => {
  expect(cases.length).toBeGreaterThanOrEqual(CASES_MIN);
  expect(families.length).toBeGreaterThanOrEqual(FAMILIES_MIN);
});

test("every case states something of its own", () => {
  const whys = cases.map(({ expected }) => expected.why);
  expect(whys.filter((why, index) => whys.indexOf(why) !== index)).toEqual([]);
});

describe.each(families)("%s", (family) => {
  const members = cases.filter((golden) => golden.family === family);
  const runs = members.flatMap((golden) =>
    variantsOf(golden).map(
      ([ending, bytes]) => [`${golden.name}, ${ending}`, ending, bytes, golden] as const,
    ),
  );
  test.each(runs)("%s", async (_name, ending, bytes, golden) => {
    const actualFile = join(golden.folder, `expected.${ending}.actual`);
    rmSync(actualFile, { force: true });
    const { actual, ways } = await runCase(golden, bytes);
    try {
      expect(actual).toEqual(golden.expected);
    } catch (error) {
      writeFileSync(actualFile, `${JSON.stringify(actual, null, 2)}\n`);
      throw error;
    }
    for (const { staged, explanation } of ways) {
      expect(explanation.resolution).toEqual(staged[2]);
      const first = staged.findIndex(({ verdict }) => verdict === "decided");
      for (const [index, resolution] of staged.entries()) {
        if (index >= first) expect(resolution).toEqual(staged[2]);
        else expect(needsOf(resolution)).toBeGreaterThan(index);
      }
    }
  });
});

describe("an expected.json is held to its shape", () => {
  const decision = {
    action: "forward",
    reason: "alias",
    decidedBy: "alias a",
    destinations: ["a@b.example"],
  };
  const sound = { why: "because", recipients: { "a@example.com": decision } };
  const wrong: readonly (readonly [string, unknown])[] = [
    ["unknown key `fact`", { ...sound, fact: {} }],
    ["lacks `why`", { recipients: sound.recipients }],
    ["recipients is empty", { ...sound, recipients: {} }],
    ["unknown key `to`", { ...sound, facts: { to: "a@example.com" } }],
    ["unknown key `rank`", { ...sound, recipients: { a: { ...decision, rank: 1 } } }],
    [".action is not", { ...sound, recipients: { a: { ...decision, action: "bounce" } } }],
    ["has destinations", { ...sound, recipients: { a: { ...decision, action: "discard" } } }],
    ["has a reply", { ...sound, recipients: { a: { ...decision, reply: "550 5.1.1" } } }],
    ["is in decidedBy", { ...sound, recipients: { a: { ...decision, reason: "fallback" } } }],
  ];
  test("a sound one is read", () => {
    expect(parseExpected(JSON.stringify(sound))).toEqual(sound);
  });
  test.each(wrong)("%s", (message, value) => {
    expect(() => parseExpected(JSON.stringify(value))).toThrow(message);
  });
});
