/** A parsed message against a domain of N mixed rules: 40 % alias, 30 % subject pattern, 20 % body contains, 10 % sender pattern. */
import { compileDomain } from "../src/routing/compile-domain.ts";
import { resolve } from "../src/routing/resolve.ts";
import type { Bench, Scale, Work } from "./bench.ts";
import { randomFrom } from "./random.ts";

interface MixedRule {
  readonly id: string;
  readonly kind: "alias" | "subject" | "body" | "sender";
  readonly text: string;
}

interface BenchMessage {
  readonly recipient: string;
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
}

const WORDS =
  "account amount balance blue board budget cargo charge cloud contract delivery draft engine field invoice letter ledger market meeting notice offer order parcel payment plan price project quota quote receipt record refund renewal report reserve sample season service ship status stock street summer supply survey ticket transfer update valley window winter".split(
    " ",
  );
const MESSAGES = 64;
const BODY_WORDS = 500;

function mixedRules(count: number): MixedRule[] {
  return Array.from({ length: count }, (_, index): MixedRule => {
    const part = index % 10;
    const kind = part < 4 ? "alias" : part < 7 ? "subject" : part < 9 ? "body" : "sender";
    return { id: `r${index}`, kind, text: `${kind}-zq${index.toString(36)}x` };
  });
}

/** `hits`: the share of messages that one rule of the domain matches. */
function messages(rules: readonly MixedRule[], hits: number): BenchMessage[] {
  const random = randomFrom(20261120);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  return Array.from({ length: MESSAGES }, () => {
    const rule = random() < hits ? rules[Math.floor(random() * rules.length)] : undefined;
    const planted = (kind: MixedRule["kind"]): string => (rule?.kind === kind ? rule.text : "none");
    return {
      recipient: `${planted("alias")}@own.test`,
      sender: `${planted("sender")}@mail.test`,
      subject: `${words(4)} ${planted("subject")} 4711`,
      body: `${words(BODY_WORDS / 2)} ${planted("body")} ${words(BODY_WORDS / 2)}`,
    };
  });
}

/** `1000 rules, nothing matches` → its rules and messages. */
function setting(caseName: string): { rules: MixedRule[]; mail: BenchMessage[] } {
  const rules = mixedRules(Number.parseInt(caseName, 10));
  return { rules, mail: messages(rules, caseName.includes("nothing") ? 0 : 0.9) };
}

function subjectPattern(text: string): string {
  return `${text} \\d{2,6}`;
}

function engineWork(caseName: string): Work {
  const { rules, mail } = setting(caseName);
  const forward = "m@x.test";
  const result = compileDomain({
    domain: "own.test",
    routing_engine: "rules",
    rules_fallback_email: null,
    rules: rules.map(({ id, kind, text }) => {
      if (kind === "alias") return { id, type: "alias", config: { alias: text, forward } };
      if (kind === "body")
        return { id, type: "cel", config: { expression: `body.contains("${text}")`, forward } };
      const regex = kind === "subject" ? subjectPattern(text) : `^${text}@`;
      return { id, type: "regex", config: { regex, scopes: [kind], forward } };
    }),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics[0]));
  return {
    operations: mail.length,
    *run() {
      for (const facts of mail) {
        const resolution = resolve(result.domain, facts);
        yield resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? "none") : "undecided";
      }
    },
  };
}

/** What a server author writes first: one RegExp a rule, tried in turn. Safe for no one, but fast. */
function regExpLoopWork(caseName: string): Work {
  const { rules, mail } = setting(caseName);
  const tests = rules.map(({ id, kind, text }): [string, (message: BenchMessage) => boolean] => {
    if (kind === "alias") return [id, (message) => message.recipient.startsWith(`${text}@`)];
    if (kind === "body") return [id, (message) => message.body.includes(text)];
    const regex = new RegExp(kind === "subject" ? subjectPattern(text) : `^${text}@`, "u");
    return [id, (message) => regex.test(message[kind])];
  });
  return {
    operations: mail.length,
    *run() {
      for (const message of mail) yield tests.find(([, test]) => test(message))?.[0] ?? "none";
    },
  };
}

export const rulesBench: Bench = {
  name: "rules",
  title: "a parsed message of 4 KB against a domain of N mixed rules",
  operation: "message",
  cases: (scale: Scale) =>
    (scale === "tiny" ? [10] : [10, 100, 1_000]).flatMap((count) => [
      `${count} rules, nothing matches`,
      `${count} rules, 90 % match one`,
    ]),
  contestants: {
    mailflow: engineWork,
    "naive RegExp loop": regExpLoopWork,
  },
};
