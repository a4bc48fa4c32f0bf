/** A golden case: a domain, a message and what becomes of it, read from `corpus/golden/<family>/<case>/`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { STAGES, type Stage } from "../../src/engine/facts/facts.ts";
import type { Action, Reason } from "../../src/engine/routing/resolution.ts";

/** What is expected for one recipient. */
export interface ExpectedDecision {
  readonly action: Action;
  readonly reason: Reason;
  /** `alias <id>` or `rule <id>`; left out where nothing decided. */
  readonly decidedBy?: string;
  /** Left out unless the action is `forward`. */
  readonly destinations?: readonly string[];
  /** Code and enhanced code; left out unless the action is `reject`. */
  readonly reply?: string;
  /** Ids of the rules that failed on the message, in the order of trial; left out when none did. */
  readonly failed?: readonly string[];
  /** The first stage whose facts decide; left out where the case is not about it. */
  readonly decidedAt?: Stage;
}

/** What rules see of the message; each may be left out. */
export interface ExpectedFacts {
  readonly sender?: string;
  readonly subject?: string;
  readonly body?: string;
  /** Names, in the order of the message. */
  readonly attachments?: readonly string[];
}

/** The content of `expected.json`. */
export interface Expected {
  /** The statement that the case holds the engine to. */
  readonly why: string;
  /** `sender` is the reverse-path; without it, it is `DEFAULT_REVERSE_PATH`. */
  readonly envelope?: { readonly sender: string };
  readonly senderSource?: "envelope";
  /** Why the message runs as it is stored only; without it, it runs with LF and with CRLF. */
  readonly lineEndings?: string;
  readonly facts?: ExpectedFacts;
  readonly recipients: Readonly<Record<string, ExpectedDecision>>;
}

export interface GoldenCase {
  readonly family: string;
  readonly name: string;
  /** Where its files are. */
  readonly folder: string;
  readonly domain: unknown;
  readonly message: Buffer;
  readonly expected: Expected;
}

export const DEFAULT_REVERSE_PATH = "returns@sender.example";

const FILES = ["domain.json", "expected.json", "message.eml"];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "";
const isAnyText: Check = (value) => typeof value === "string";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isAnyText);
const isFilled: Check = (value) => isTexts(value) && (value as string[]).length > 0;
const isRecord: Check = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);
const isShaped: Check = () => true;

/** Key → check; a name with `?` may be left out. */
const EXPECTED: Readonly<Record<string, Check>> = {
  why: isText,
  "envelope?": isShaped,
  "senderSource?": isOneOf("envelope"),
  "lineEndings?": isText,
  "facts?": isShaped,
  recipients: isShaped,
};
const ENVELOPE: Readonly<Record<string, Check>> = { sender: isAnyText };
const FACTS: Readonly<Record<string, Check>> = {
  "sender?": isAnyText,
  "subject?": isAnyText,
  "body?": isAnyText,
  "attachments?": isTexts,
};
const DECISION: Readonly<Record<string, Check>> = {
  action: isOneOf("forward", "discard", "reject"),
  reason: isOneOf("alias", "rule", "fallback", "no-match", "routing-disabled"),
  "decidedBy?": (value) => isText(value) && /^(?:alias|rule) \S+$/.test(value as string),
  "destinations?": isFilled,
  "reply?": (value) => isText(value) && /^\d{3} \d\.\d\.\d$/.test(value as string),
  "failed?": isFilled,
  "decidedAt?": isOneOf(...STAGES),
};

function assertShape(value: unknown, shape: Readonly<Record<string, Check>>, place: string): void {
  if (!isRecord(value)) throw new Error(`${place} is no object`);
  const record = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(record)) {
    const check = shape[key] ?? shape[`${key}?`];
    if (check === undefined) throw new Error(`${place} has the unknown key \`${key}\``);
    if (!check(record[key])) throw new Error(`${place}.${key} is not what it must be`);
  }
  for (const key of Object.keys(shape)) {
    if (!key.endsWith("?") && !(key in record)) throw new Error(`${place} lacks \`${key}\``);
  }
}

/** Checks the shape of an `expected.json`, throwing an Error that names the place. */
export function parseExpected(json: string): Expected {
  const value = JSON.parse(json) as Expected;
  assertShape(value, EXPECTED, "expected");
  if (value.envelope !== undefined) assertShape(value.envelope, ENVELOPE, "expected.envelope");
  if (value.facts !== undefined) assertShape(value.facts, FACTS, "expected.facts");
  if (!isRecord(value.recipients)) throw new Error("expected.recipients is no object");
  const decisions = Object.entries(value.recipients);
  if (decisions.length === 0) throw new Error("expected.recipients is empty");
  for (const [recipient, decision] of decisions) {
    const place = `expected.recipients[${JSON.stringify(recipient)}]`;
    assertShape(decision, DECISION, place);
    const { action, reason, destinations, reply, decidedBy } = decision;
    if ((action === "forward") !== (destinations !== undefined)) {
      throw new Error(`${place}: a forward, and nothing else, has destinations`);
    }
    if ((action === "reject") !== (reply !== undefined)) {
      throw new Error(`${place}: a rejection, and nothing else, has a reply`);
    }
    if ((reason === "alias" || reason === "rule") !== (decidedBy !== undefined)) {
      throw new Error(`${place}: an alias or a rule, and nothing else, is in decidedBy`);
    }
  }
  return value;
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function readCase(root: string, family: string, name: string): GoldenCase {
  const folder = join(root, family, name);
  const files = readdirSync(folder).filter((file) => !file.endsWith(".actual"));
  if (files.sort().join() !== FILES.join()) {
    throw new Error(`${family}/${name} holds ${files.join(", ")}: give ${FILES.join(", ")}`);
  }
  try {
    return {
      family,
      name,
      folder,
      domain: JSON.parse(readFileSync(join(folder, "domain.json"), "utf8")),
      message: readFileSync(join(folder, "message.eml")),
      expected: parseExpected(readFileSync(join(folder, "expected.json"), "utf8")),
    };
  } catch (error) {
    throw new Error(`${family}/${name}: ${(error as Error).message}`);
  }
}

/** All cases below a folder, by family and name. */
export function readGoldenCases(root: string): readonly GoldenCase[] {
  return foldersIn(root).flatMap((family) =>
    foldersIn(join(root, family)).map((name) => readCase(root, family, name)),
  );
}
