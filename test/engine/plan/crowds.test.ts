/** Bodies full of the rules' literals: their patterns then run as sets, and decide as the plain walk does. */
import fc from "fast-check";
import { test } from "vitest";
import { celRule, planOf, regexRule } from "../routing/plan/planned.ts";

const WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "ſ\u212a", "郵便"];

const word = fc.constantFrom(...WORDS);
const number = fc.constantFrom("1", "22", "333");

/** Patterns with a literal, of the kinds that rules have; some capture, some are anchored, some have no bound. */
const pattern = fc.oneof(
  fc.tuple(word, number).map(([one, digits]) => `${one} ${digits}`),
  fc.tuple(word, word).map(([one, other]) => `(?i)${one} (${other.toUpperCase()}|${other}x)\\b`),
  fc.tuple(word, word).map(([one, other]) => `${one}.{0,12}${other}\\d`),
  fc.tuple(word, word).map(([one, other]) => `^${one}.*${other}$`),
  fc.tuple(word, word).map(([one, other]) => `(?m)^${one}.*${other}$`),
  word.map((one) => `[a-z]+${one}\\b`),
  word.map((one) => `${one} (\\d+)`),
  fc.tuple(word, word).map(([one, other]) => `(?:${one}|${other})[ _-](?:offer|mail)`),
  // Without a literal, and such as the host cannot leap over.
  fc.constantFrom(
    "[0-9]{3}[a-z][0-9]",
    "[a-z]+[0-9]{2}",
    "([a-z]+) [0-9]{3}",
    "[^a-z\\n]{4}([a-z])",
  ),
);

const forward = fc.constantFrom("m@x.test", "m@x.test", "to-$1@x.test", "$1@x.test", "a@$1.test");
const scopes = fc.constantFrom(["body"], ["body"], ["subject", "body"], ["sender", "body"]);

const rule = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(pattern, scopes, forward) },
  { weight: 1, arbitrary: word },
);

function configOf(given: string | readonly [string, readonly string[], string]) {
  if (typeof given === "string") return celRule(`body.contains("${given} 22") && size > 3`);
  const [regex, where, to] = given;
  // Only a pattern with a group may fill the forward.
  return regexRule(regex, where, /\((?!\?)/.test(regex) ? to : "m@x.test");
}

const body = fc
  .array(fc.tuple(word, fc.constantFrom(" ", " ", "\n", "x", " 1 ", " 22\n", "-", "_mail ")), {
    minLength: 5,
    maxLength: 120,
  })
  .map((parts) => parts.flat().join(""));

test("a body full of literals decides as the plain walk does", () => {
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 60 }),
      fc.array(fc.record({ body, subject: fc.option(word, { nil: undefined }) }), {
        minLength: 1,
        maxLength: 5,
      }),
      (rules, messages) => {
        // The plan compares each of its answers with the plain walk.
        const plan = planOf(rules.map(configOf));
        for (const message of messages) plan(message);
      },
    ),
    { numRuns: 400 },
  );
});
