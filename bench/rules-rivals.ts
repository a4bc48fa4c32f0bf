/** What mailflow is held against on mixed rules: each takes the first rule that matches, in their order. */
import { type Absent, absent, type Work } from "./bench.ts";
import { loadRival } from "./load-rival.ts";
import type { Mail } from "./material/mail.ts";
import { escapePattern, type MixedRule } from "./material/mixed-rules.ts";
import { loadNativeRe2, type NativeRe2, type Re2Set } from "./native-re2.ts";

export interface MixedCase {
  readonly rules: readonly MixedRule[];
  readonly mail: readonly Mail[];
}

const NONE = "none";
/** npm `re2` gives every set 8 MB; more patterns than this can fail to compile in them. */
const SET_PATTERNS_MAX = 1_000;

/** What a server author writes first: one RegExp a rule, tried in turn. Safe for no one, but fast. */
export function regExpLoop({ rules, mail }: MixedCase): Work {
  const tests = rules.map(({ id, kind, text }): [string, (message: Mail) => boolean] => {
    if (kind === "alias") return [id, ({ recipient }) => recipient === `${text}@own.test`];
    if (kind === "body") return [id, ({ body }) => body.includes(text)];
    const regex = new RegExp(text, "u");
    if (kind === "subject") return [id, ({ subject }) => regex.test(subject)];
    return [id, ({ sender }) => regex.test(sender)];
  });
  const first = (message: Mail): string => tests.find(([, test]) => test(message))?.[0] ?? NONE;
  return { operations: mail.length, run: () => mail.map(first) };
}

/** A general rule engine; priorities put the rules in order, and the first event stops it. */
export async function jsonRulesEngine({ rules, mail }: MixedCase): Promise<Work | Absent> {
  if (rules.length > 1_000) return absent("more than 1,000 rules take it minutes");
  const library = await loadRival(() => import("json-rules-engine"));
  if ("absent" in library) return library;
  const regexes = new Map<string, RegExp>();
  const engine = new library.Engine();
  engine.addOperator("includes", (fact: string, text: string) => fact.includes(text));
  engine.addOperator("matches", (fact: string, text: string) => regexes.get(text)!.test(fact));
  for (const [index, { id, kind, text }] of rules.entries()) {
    const isPattern = kind === "subject" || kind === "sender";
    if (isPattern) regexes.set(text, new RegExp(text, "u"));
    const condition = {
      fact: kind === "alias" ? "recipient" : kind,
      operator: isPattern ? "matches" : kind === "body" ? "includes" : "equal",
      value: kind === "alias" ? `${text}@own.test` : text,
    };
    const priority = rules.length - index;
    engine.addRule({ conditions: { all: [condition] }, event: { type: id }, priority });
  }
  engine.on("success", () => {
    engine.stop();
  });
  return {
    operations: mail.length,
    async run() {
      const answers: string[] = [];
      for (const message of mail) {
        const { events } = await engine.run({ ...message });
        answers.push(events[0]?.type ?? NONE);
      }
      return answers;
    },
  };
}

/** One native set a fact and a map of aliases: the least work that C++ can do for this mix. */
export function nativeSets({ rules, mail }: MixedCase): Work | Absent {
  const re2 = loadNativeRe2();
  if ("absent" in re2) return re2;
  const aliases = new Map<string, number>();
  const indexed = rules.map((rule, index) => ({ ...rule, index }));
  for (const { kind, text, index } of indexed) {
    const address = `${text}@own.test`;
    if (kind === "alias" && !aliases.has(address)) aliases.set(address, index);
  }
  const searchOf = (kind: "subject" | "body" | "sender"): ((text: string) => number) =>
    setSearch(
      re2,
      indexed.filter((rule) => rule.kind === kind),
    );
  const [inSubject, inBody, inSender] = [searchOf("subject"), searchOf("body"), searchOf("sender")];
  const first = ({ recipient, sender, subject, body }: Mail): string => {
    const alias = aliases.get(recipient) ?? Infinity;
    const index = Math.min(alias, inSubject(subject), inSender(sender), inBody(body));
    return rules[index]?.id ?? NONE;
  };
  return { operations: mail.length, run: () => mail.map(first) };
}

/** The least index of the rules that match a text. */
function setSearch(
  re2: NativeRe2,
  rules: readonly (MixedRule & { readonly index: number })[],
): (text: string) => number {
  if (rules.length === 0) return () => Infinity;
  const patterns = rules.map(({ kind, text }) => (kind === "body" ? escapePattern(text) : text));
  const sets: { readonly from: number; readonly set: Re2Set }[] = [];
  for (let from = 0; from < rules.length; from += SET_PATTERNS_MAX) {
    sets.push({ from, set: new re2.Set(patterns.slice(from, from + SET_PATTERNS_MAX), "u") });
  }
  return (text) => {
    let least = Infinity;
    for (const { from, set } of sets) {
      for (const at of set.match(text)) least = Math.min(least, rules[from + at]!.index);
    }
    return least;
  };
}
