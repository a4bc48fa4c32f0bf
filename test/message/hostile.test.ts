/** Mail that is made to hurt: broken in 12,000 ways, and bombs, whose cost may grow no faster than their size. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { DATASET, datasetFiles } from "../dataset/dataset.ts";
import { BOMBS } from "./bombs.ts";
import { type StepCounter, startStepCounter } from "./step-count.ts";

const MUTATIONS = 12_000;
const BOMBS_MIN = 150;
/** Octets of a small bomb: above those that a header is tried with first, and near the bound of a field when doubled. */
const BOMB_OCTETS = 32_770;
/** Steps of twice the octets: twice as many, and a little for tables that grow. */
const GROWTH_MAX = 2.3;
/** Steps for an octet that no bomb may exceed. */
const STEPS_PER_OCTET_MAX = 60;

let counter: StepCounter;
let message: typeof import("../../src/message/index.ts");
beforeAll(async () => {
  counter = await startStepCounter();
  message = await import("../../src/message/index.ts");
});
afterAll(() => counter.stop());

/** Numbers from 0 to below `end`, the same at every run. */
function sequence(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * end);
  };
}

const TOKENS = [
  "\n",
  "\r",
  "\n\n",
  "\0",
  "--",
  "=",
  "=?utf-8?Q?",
  "?=",
  '"',
  "<",
  "(",
  ";",
  ":",
  "\xff",
  "\t",
  "From ",
];

function mutated(bytes: Buffer, other: Buffer, next: (end: number) => number): Buffer {
  const at = next(bytes.length);
  const to = Math.min(bytes.length, at + next(200));
  const [before, within, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, to),
    bytes.subarray(to),
  ];
  switch (next(6)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, within, within, after]);
    case 2:
      return Buffer.concat([
        before,
        Buffer.from(TOKENS[next(TOKENS.length)]!, "latin1"),
        within,
        after,
      ]);
    case 3:
      return Buffer.concat([before, other.subarray(next(other.length))]);
    case 4:
      return Buffer.concat([before, within.map((byte) => byte ^ (1 << next(8))), after]);
    default:
      return Buffer.concat([before, within.reverse(), after]);
  }
}

describe("broken mail", () => {
  test(`${MUTATIONS} mutations of real messages give facts, the same at both stages`, () => {
    const next = sequence(20_261_120);
    const files = datasetFiles().filter((_, index) => index % 20 === 0);
    const messages = files
      .map((file) => readFileSync(join(DATASET, file)))
      .filter(({ length }) => length < 6_000);
    expect(messages.length).toBeGreaterThan(100);
    let broken = 0;
    for (let run = 0; run < MUTATIONS; run++) {
      const [first, second] = [messages[next(messages.length)]!, messages[next(messages.length)]!];
      let bytes = mutated(Buffer.from(first), second, next);
      while (next(3) === 0) bytes = mutated(bytes, second, next);
      const facts = message.messageFactsOf(bytes);
      const header = message.headerFactsOf(bytes);
      if (facts.problems.length > 0) broken++;
      if (facts.from !== header.from || facts.subject !== header.subject) {
        expect([facts.from, facts.subject]).toEqual([header.from, header.subject]);
      }
      if (/[\u0000-\u001f\u007f-\u009f]/.test(facts.subject) || !facts.body.isWellFormed()) {
        expect.fail(JSON.stringify(bytes.toString("latin1")));
      }
    }
    expect(broken).toBeGreaterThan(100);
  });
});

describe("bombs", () => {
  test("there are enough of them", () => {
    expect(BOMBS.length).toBeGreaterThanOrEqual(BOMBS_MIN);
    expect(new Set(BOMBS.map(([name]) => name)).size).toBe(BOMBS.length);
  });

  test("the counter sees a step that is quadratic", async () => {
    const { decodeEncodedWords } = await import("../../src/message/header/encoded-words.ts");
    const quadratic = (length: number): void => {
      for (let at = 0; at < length; at++) "x".repeat(at).indexOf("y");
      decodeEncodedWords("a", () => "");
    };
    const [once, twice] = [
      await counter.steps(() => quadratic(1_000)),
      await counter.steps(() => quadratic(2_000)),
    ];
    expect(twice / once).toBeGreaterThan(3);
  });

  test.each(BOMBS)("%s", async (_name, bomb) => {
    const bytes = [1, 2].map((times) => Buffer.from(bomb(BOMB_OCTETS * times), "latin1"));
    const steps: number[] = [];
    for (const each of bytes) {
      steps.push(
        await counter.steps(() => {
          const { headers, body, attachments, problems } = message.messageFactsOf(each);
          expect(body.length).toBeLessThanOrEqual(LIMITS.factUnitsMax);
          expect(headers.size).toBeLessThanOrEqual(LIMITS.headerFieldsMax);
          expect(attachments.length).toBeLessThanOrEqual(LIMITS.mimePartsMax);
          expect(problems.length).toBeLessThan(10);
        }),
      );
    }
    expect(steps[0]).toBeGreaterThan(10);
    expect(steps[1]! / steps[0]!).toBeLessThan(GROWTH_MAX);
    expect(steps[1]! / bytes[1]!.length).toBeLessThan(STEPS_PER_OCTET_MAX);
  });
});
