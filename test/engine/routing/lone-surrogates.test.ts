/** A lone surrogate in a body counts as U+FFFD, wherever the search meets it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { explain } from "../../../src/engine/routing/explain.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { compiled, domainOf } from "../plan/worlds.ts";

const PATTERNS = [
  ...[
    "\ufffd",
    "a\ufffdb",
    "^\ufffd",
    "^ab\ufffd",
    "[^a-z]{3}",
    "\\pC",
    "[\\x{fff0}-\\x{ffff}]b",
    "😀",
  ],
  ...[
    "needle\ufffd",
    "(?i)needle\\W",
    ".needle.",
    "\\bneedle\\b",
    "(?s)needle.*\ufffd",
    "\ufffd(?:x|y)\ufffd",
  ],
  ...[
    "[a\ufffd]needle",
    "\\x{d83d}",
    "[\\x{d800}-\\x{dfff}]",
    "n.{0,9}e",
    "x\ufffd|needle😀|\ufffd\ufffd",
  ],
  ...["(\\S)needle(\\S)", "[\ufffdx]{2}z", "\\Sz\\S", "needle\\z", "(?m)^\ufffd$"],
];
const EXPRESSIONS = [
  ...[
    'body.contains("\ufffd")',
    'body.contains("needle\ufffd")',
    'body == "\ufffd"',
    'body in ["a\ufffd", "b"]',
  ],
  ...[
    'body.startsWith("\ufffd")',
    "size(body) == 3",
    'body.matches("\ufffd$")',
    'body.contains("😀")',
  ],
  ...[
    'body.contains("needle")',
    'body.startsWith("😀")',
    'body.endsWith("語")',
    'body.matches("(?s)needle.*b.")',
  ],
];

const piece = fc.constantFrom(
  ...["\ud83d", "\ude00", "😀", "\ufffd", "a", "ab", "needle", "x", "y", "z", "\n", " ", "語"],
  ...["b".repeat(130), "語".repeat(200), "a".repeat(4_090), "\ud83d".repeat(3)],
);
const body = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(""));
const rule = fc.oneof(
  fc.constantFrom(...PATTERNS).map((regex) => ({
    type: "regex",
    config: { regex, scopes: ["body"], forward: "m@x.test" },
  })),
  fc.constantFrom(...EXPRESSIONS).map((expression) => ({
    type: "cel",
    config: { expression, forward: "m@x.test" },
  })),
);

test("rules decide as they do on the well-formed text", () => {
  let decided = 0;
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 14 }),
      fc.array(body, { minLength: 4 }),
      (rules, bodies) => {
        // One for each, because the fuel of a message depends on those before it.
        const [forRaw, forWhole] = [compiled(domainOf(rules)), compiled(domainOf(rules))];
        for (const given of bodies) {
          const facts = {
            recipient: "a@own.test",
            sender: "s@x.test",
            subject: "",
            attachments: [],
            size: 1,
          };
          const raw = { ...facts, headers: new Map(), body: given };
          const whole = { ...raw, body: given.toWellFormed() };
          const [one, other] = [resolve(forRaw, raw), resolve(forWhole, whole)];
          expect({ rules, given, one }).toEqual({ rules, given, one: other });
          expect(explain(forRaw, raw)).toEqual(explain(forWhole, whole));
          if (one.verdict === "decided" && one.decidedBy !== null) decided++;
        }
      },
    ),
    { numRuns: 400, seed: 22 },
  );
  expect(decided).toBeGreaterThan(1_000);
});
