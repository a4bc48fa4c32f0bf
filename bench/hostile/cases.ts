/** Rules and messages made to be expensive, by the path of the engine that they take. */

import { LIMITS } from "../../src/base/limits.ts";
import type { Facts } from "../../src/engine/facts/facts.ts";
import { CEL_CASES } from "./cel-cases.ts";
import { DOMAIN_CASES } from "./domain-cases.ts";
import { coins, far, farSideBySide, letters, nearly, same, scripts, words } from "./texts.ts";

export interface HostileCase {
  /** The path of the engine: each has its own worst case. */
  readonly path: string;
  readonly name: string;
  /** `domain`: compiling, planning and an ordinary first message. Otherwise only a message of a domain that has seen one. */
  readonly measures?: "domain";
  /** `size` is 1 in a full run, and less where only the working is tested: it scales rules and texts. */
  readonly make: (size: number) => { readonly config: unknown; readonly facts: Facts };
}

const MEGABYTE: number = LIMITS.factUnitsMax;

const scaled = (count: number, size: number): number => Math.max(2, Math.ceil(count * size));

function message(body: string, subject = "subject"): Facts {
  return {
    recipient: "someone@own.test",
    sender: "ann@other.test",
    subject,
    body,
    headers: new Map(),
    attachments: [],
    size: body.length,
  };
}

interface RegexOptions {
  readonly forward?: string;
  readonly scopes?: readonly string[];
}

function regexDomain(patterns: readonly string[], options: RegexOptions = {}): unknown {
  const { forward = "m@x.test", scopes = ["body"] } = options;
  const rules = patterns.map((regex, index) => ({
    id: `r${index}`,
    rank: index + 1,
    type: "regex",
    config: { regex, scopes, forward },
  }));
  return { domain: "own.test", routing_engine: "rules", rules_fallback_email: null, rules };
}

function celDomain(expressions: readonly string[]): unknown {
  const rules = expressions.map((expression, index) => ({
    id: `r${index}`,
    rank: index + 1,
    type: "cel",
    config: { expression, forward: "m@x.test" },
  }));
  return { domain: "own.test", routing_engine: "rules", rules_fallback_email: null, rules };
}

const times = (count: number, of: (nth: number) => string): string[] =>
  Array.from({ length: count }, (_, nth) => of(nth));

type Made = ReturnType<HostileCase["make"]>;

/** Patterns over one body. */
function overBody(
  path: string,
  name: string,
  count: number,
  pattern: (nth: number) => string,
  body: (units: number) => string,
  units = MEGABYTE,
  options: RegexOptions = {},
): HostileCase {
  return {
    path,
    name,
    make: (size): Made => ({
      config: regexDomain(times(scaled(count, size), pattern), options),
      facts: message(body(scaled(units, size))),
    }),
  };
}

const counted = (nth: number): string => `a.{${90 + (nth % 10)}}${"b".repeat(nth % 7)}[cd]`;
const countedOften = (nth: number): string => `a.{${80 + (nth % 20)}}[cd]${nth}`;
const groups = (nth: number): string => `(?s)(.*)(.*)z{${1 + (nth % 50)}}`;

const SETS: readonly HostileCase[] = [
  overBody("sets of patterns", "16 rules a.{9x}[cd], 1 MB", 16, counted, coins),
  overBody("sets of patterns", "560 rules a.{9x}[cd], 32 KB", 560, countedOften, coins, 32_768),
  overBody("sets of patterns", "620 rules a.{9x}[cd], 32 KB", 620, countedOften, coins, 32_768),
  overBody(
    "sets of patterns",
    "3,000 rules of classes, 1 MB",
    3_000,
    (nth) => `[a-m]{${2 + (nth % 9)}}[0-9][n-z]{${2 + (nth % 13)}}`,
    letters,
  ),
  overBody(
    "sets of patterns",
    "300 rules [^@]{1,254}, 1 MB",
    300,
    (nth) => `[^@]{1,254}@[0-9]{${1 + (nth % 40)}}`,
    letters,
  ),
  overBody(
    "sets of patterns",
    "100 rules \\p{L}{2,20}, 1 MB of scripts",
    100,
    (nth) => `\\p{L}{2,20}[0-9]{${1 + nth}}`,
    scripts,
  ),
  overBody(
    "sets of patterns",
    "1,300 rules, classes of characters beyond the basic plane, 1 MB",
    1_300,
    (nth) => `[${far(200, nth)}]\\d{999}`,
    far,
  ),
  overBody(
    "sets of patterns",
    "1,400 rules, classes of such characters side by side, 1 MB",
    1_400,
    (nth) => `\\b[^${farSideBySide(120, nth)}]\\B[${farSideBySide(120, nth + 5_000)}]+$`,
    farSideBySide,
  ),
  overBody(
    "sets of patterns",
    "100 rules .{0,200}, 1 MB",
    100,
    (nth) => `[a-c].{0,200}[0-9]{${1 + nth}}`,
    coins,
  ),
  overBody(
    "sets of patterns",
    "2 × .{0,100}, 1 MB",
    40,
    (nth) => `[ab].{0,100}[bc].{0,100}[0-9]{${1 + nth}}`,
    coins,
  ),
  overBody("one pattern", "a.{0,390}[cd], 1 MB", 1, () => "a.{0,390}[cd]", coins),
  overBody("one pattern", "(?i)[a-z]{1,300}[0-9], 1 MB", 1, () => "(?i)[a-z]{1,300}[0-9]", letters),
  overBody(
    "one pattern",
    "(x+x+)+y, 1 MB",
    1,
    () => "(?:x+x+)+y",
    (units) => same(units, "x"),
  ),
  overBody(
    "one pattern",
    "3 starts that fail at their last unit, 1 MB",
    3,
    (nth) => `[a-f]{${14 + nth}}[g-z]`,
    (units) => `${same(13)} `.repeat(units / 14),
  ),
  overBody(
    "one pattern",
    "3 starts of many ways, 1 MB",
    3,
    (nth) => `[a-z]{0,2}[a-y]{0,2}[a-x]{${nth + 1}}[0-9]`,
    (units) => same(units, "a"),
  ),
  overBody(
    "one pattern",
    "3 starts of branches that begin alike, 1 MB",
    3,
    (nth) => `(?:aaaaa[bc]|aaaaa[de]|aaaaa[f-h])x{${nth + 1}}`,
    (units) => same(units, "a"),
  ),
  overBody(
    "one pattern",
    "3 starts of long runs, 1 MB",
    3,
    (nth) => `b[a-z]* [a-z]* [0-9]{${nth + 1}}`,
    (units) => "bba a ".repeat(units / 6),
  ),
];

const LITERALS: readonly HostileCase[] = [
  overBody(
    "literals",
    "10,000 rules, one literal away, 1 MB",
    10_000,
    (nth) => `confirmatio${String.fromCharCode(98 + (nth % 25))}${nth}`,
    (units) => nearly(units, "confirmation"),
  ),
  overBody(
    "literals",
    "1,000 rules aaa…b, 1 MB of a",
    1_000,
    (nth) => `${"a".repeat(3 + (nth % 20))}b${nth}`,
    same,
  ),
  overBody(
    "literals",
    "100 rules (?i)aaa.*[0-9], 1 MB of a",
    100,
    (nth) => `(?i)aaa.*[0-9]{${1 + nth}}`,
    same,
  ),
  overBody(
    "literals",
    "1,000 rules of hits that fail, 1 MB",
    1_000,
    (nth) => `confirmation[0-9]{${1 + (nth % 50)}}x${nth % 9}`,
    (units) => "confirmation".repeat(Math.ceil(units / 12)).slice(0, units),
  ),
  overBody(
    "literals",
    "100,000 rules of one literal, 1 MB",
    100_000,
    (nth) => `confirmation[0-9]{${1 + (nth % 50)}}x${nth % 9}y`,
    (units) => "confirmation, ".repeat(Math.ceil(units / 14)).slice(0, units),
  ),
  overBody(
    "literals",
    "3 rules a{30}b, 1 MB of a",
    3,
    (nth) => `${"a".repeat(30)}b[0-9]{${1 + nth}}`,
    same,
  ),
  overBody(
    "literals",
    "100 rules a{30}b.*[0-9], 1 MB of a and b",
    100,
    (nth) => `(?i)${"ab".repeat(15)}c.*[0-9]{${1 + nth}}`,
    (units) => "ab".repeat(units / 2),
  ),
  overBody(
    "literals",
    "30 rules alpha.{n,60}beta, 1 MB of these words",
    30,
    (nth) => `alpha.{${nth % 20},60}beta.{${nth % 7},50}z${nth}`,
    words,
  ),
  overBody(
    "literals",
    "300 rules alpha.{n,60}beta, 1 MB of these words",
    300,
    (nth) => `alpha.{${nth % 20},60}beta.{${nth % 7},50}z${nth}`,
    words,
  ),
  overBody(
    "literals",
    "300 rules alpha.{n,60}beta, 32 KB of these words",
    300,
    (nth) => `alpha.{${nth % 20},60}beta.{${nth % 7},50}z${nth}`,
    words,
    32_768,
  ),
  overBody(
    "literals",
    "300 rules (?i)[a-z]+alpha, 1 MB of these words",
    300,
    (nth) => `(?i)[a-z]+alpha\\b.*gamma${nth}`,
    words,
  ),
  overBody(
    "literals",
    "100,000 rules, 32 KB",
    100_000,
    (nth) => `word${nth.toString(36)}`,
    letters,
    32_768,
  ),
];

const GROUPS: readonly HostileCase[] = [
  overBody("find with groups", "59 rules (?s)(.*)(.*), 1 MB", 59, groups, same, MEGABYTE, {
    forward: "$1@team.example",
  }),
  overBody(
    "find with groups",
    "8 rules (?s)(.*)(.*) that match, 1 MB",
    8,
    () => "(?s)(.*)(.*)",
    same,
    MEGABYTE,
    { forward: "$1@team.example" },
  ),
  overBody(
    "find with groups",
    "100 rules (\\w+) (\\w+), 1 MB",
    100,
    (nth) => `(\\w+) (\\w+)[0-9]{${1 + nth}}`,
    letters,
    MEGABYTE,
    { forward: "$1@team.example" },
  ),
  overBody(
    "find with groups",
    "40 rules (a.{50})(b.{40})[cd], 1 MB",
    40,
    (nth) => `(a.{50})(b.{${1 + nth}})[cd]`,
    coins,
    MEGABYTE,
    { forward: "$1@team.example" },
  ),
  overBody(
    "find with groups",
    "100,000 rules (\\w+)…, 300 letters",
    100_000,
    (nth) => `([a-z]* [a-z]{0,${1 + (nth % 20)}})[a-z]{0,${nth % 97}}`,
    letters,
    300,
    { forward: "$1@team.example" },
  ),
  overBody(
    "forwards",
    "8 rules forwarding $1 55 times, 1 MB",
    8,
    () => "(?s)(.*)",
    same,
    MEGABYTE,
    { forward: `${"$1".repeat(55)}@team.example` },
  ),
  overBody("forwards", "8 webhooks of $1 1,000 times, 1 MB", 8, () => "(?s)(.*)", same, MEGABYTE, {
    forward: `https://x.test/${"$1".repeat(1_000)}`,
  }),
  overBody("forwards", "99 destinations of $1, 1 MB", 20, () => "(?s)(.*)", scripts, MEGABYTE, {
    forward: Array.from({ length: 99 }, (_, nth) => `$1@d${nth}.example`).join(", "),
  }),
];

function aliasDomain(aliases: readonly string[], forward: string): unknown {
  return {
    domain: "own.test",
    routing_engine: "alias",
    aliases: aliases.map((alias, nth) => ({ id: `a${nth}`, alias, forward })),
  };
}

/** Of the longest address that is looked at. */
const localPart = (letter: string): string => letter.repeat(LIMITS.addressUnitsMax - 10);
const atRcpt = (local: string): Facts => ({ recipient: `${local}@own.test` });

const ALIASES: readonly HostileCase[] = [
  {
    path: "alias patterns",
    name: "200 patterns (a|aa)+…, RCPT",
    make: (size): Made => ({
      config: aliasDomain(
        times(scaled(200, size), (nth) => `((a|aa)+)(b|${nth})`),
        "$1@x.test",
      ),
      facts: atRcpt(localPart("a")),
    }),
  },
  {
    path: "alias patterns",
    name: "100,000 wildcards, RCPT",
    make: (size): Made => ({
      config: aliasDomain(
        times(scaled(100_000, size), (nth) => `*a*aa*${nth.toString(36)}`),
        "m@x.test",
      ),
      facts: atRcpt(localPart("a")),
    }),
  },
  {
    path: "alias patterns",
    name: "10,000 patterns without a literal, RCPT",
    make: (size): Made => ({
      config: aliasDomain(
        times(
          scaled(10_000, size),
          (nth) => `([a-z]{${1 + (nth % 90)},})([0-9]|x{${1 + Math.floor(nth / 90)}})`,
        ),
        "$1$1@x.test",
      ),
      facts: atRcpt(localPart("q")),
    }),
  },
  {
    path: "alias patterns",
    name: "10,000 patterns a.{90}…, RCPT",
    make: (size): Made => ({
      config: aliasDomain(
        times(scaled(10_000, size), (nth) => `.*a.{90}[cd]${nth}`),
        "m@x.test",
      ),
      facts: atRcpt(coins(LIMITS.addressUnitsMax - 10)),
    }),
  },
  {
    path: "alias patterns",
    name: "2,000 patterns ([a-z]+)…([a-z]+), RCPT",
    make: (size): Made => ({
      config: aliasDomain(
        times(scaled(2_000, size), (nth) => `([a-z]+)([a-z]+)([a-z]+)-${nth}`),
        "$1$1@x.test",
      ),
      facts: atRcpt(localPart("q")),
    }),
  },
  {
    path: "alias rules",
    name: "10,000 alias rules with patterns, RCPT",
    make: (size): Made => ({
      config: {
        ...(regexDomain([]) as object),
        rules: times(scaled(10_000, size), (nth) => `(.*)(.*)x${nth}`).map((alias, nth) => ({
          id: `r${nth}`,
          rank: nth + 1,
          type: "alias",
          config: { alias, forward: "$1@x.test" },
        })),
      },
      facts: atRcpt(localPart("a")),
    }),
  },
  overBody(
    "addresses",
    "1,000 patterns over an address of 1 MB",
    1_000,
    (nth) => `(a|aa)+[bc]{${1 + (nth % 60)}}`,
    same,
    MEGABYTE,
    { scopes: ["sender", "recipient", "subject", "body"] },
  ),
];

const ORDINARY = "Dear all, this is a body of some words, with the number 12345. ".repeat(20);

export const HOSTILE_CASES: readonly HostileCase[] = [
  ...DOMAIN_CASES.map(
    ({ name, count, rule, alias }): HostileCase => ({
      path: "domain",
      name,
      measures: "domain",
      make: (size): Made => {
        const places = Array.from({ length: scaled(count, size) }, (_, nth) => nth);
        const config =
          alias === undefined
            ? {
                ...(regexDomain([]) as object),
                rules: places.map((nth) => ({ id: `r${nth}`, rank: nth + 1, ...rule!(nth) })),
              }
            : aliasDomain(places.map(alias), "someone@example.com");
        return { config, facts: message(ORDINARY) };
      },
    }),
  ),
  ...SETS,
  ...LITERALS,
  ...GROUPS,
  ...ALIASES,
  ...CEL_CASES.map(
    ({
      path = "expressions",
      name,
      rules = 1,
      expression,
      body,
      units = MEGABYTE,
    }): HostileCase => ({
      path,
      name,
      make: (size): Made => ({
        config: celDomain(times(scaled(rules, size), expression)),
        facts: {
          ...message(body(scaled(units, size))),
          headers: new Map(
            times(scaled(500, size), (nth) => `x-${nth}`).map((field) => [
              field,
              ["a".repeat(500)],
            ]),
          ),
        },
      }),
    }),
  ),
];
