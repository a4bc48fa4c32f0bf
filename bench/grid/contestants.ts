/** Who decides the messages of the grid: mailflow, a loop of JavaScript, Hyperscan, RE2::Set. The first rule by rank wins. */
import { resolve } from "../../src/engine/routing/resolve.ts";
import {
  type Absent,
  type Answers,
  absent,
  type Contestant,
  type Scale,
  type TurnWork,
} from "../bench.ts";
import { compileAlone } from "../compilers.ts";
import { ownCpuNs } from "../cpu-time.ts";
import type { Mail } from "../material/mail.ts";
import { CACHE } from "../paths.ts";
import { buildRig, type Rig, startRig } from "../rig.ts";
import { toRegExp } from "./body-patterns.ts";
import { type GridCase, gridCase } from "./grid.ts";
import { type GridRule, gridMail, gridRules } from "./mixed-rules.ts";

const HYPERSCAN: Rig = {
  name: "hyperscan",
  pkgConfigName: "libhs",
  debianPackage: "libhyperscan-dev",
};
const RE2_SET: Rig = { name: "re2-set", pkgConfigName: "re2", debianPackage: "libre2-dev" };

export function buildGridRigs(): void {
  buildRig(HYPERSCAN);
  buildRig(RE2_SET);
}

/** The answer where no rule matches. */
export const NONE = "none";
/** Messages of one turn are so many that they hold about this many octets, */
const TURN_OCTETS = 1_600_000;
const TURN_MESSAGES_MAX = 1_500;
/** but no more than the loop takes this time for: it needs about so long a rule and KB where nothing matches. */
const TURN_LOOP_MS = 60;
const LOOP_MS = 0.0008;
const TURN_MESSAGES_MIN = 4;
/** A turn has messages of its own, so that no automaton has seen them; one more has those for warming up. */
const TURNS = 5;
/** After fewer messages some paths have not been seen, and V8 compiles in the turns: with 1,000, ten mixed rules took up to five times as long, with 8,000 three regex rules. */
const WARM_MESSAGES = 30_000;
const WARM_OCTETS = 30_000_000;
/** As many as the loop needs this time for, and at least those of a turn. */
const WARM_LOOP_MS = 1_500;
/** Programs in C++ need no more than `RIG_WARM_MS`. */
const WARM_MS = 1_000;
const RIG_WARM_MS = 60;
/** Regex rules that Hyperscan compiles in a minute or two; three times as many do not end in ten. */
const HYPERSCAN_PATTERNS_MAX = 1_000;

/** The messages of a case: what warms up, then those of each turn. */
function mailOf(of: GridCase, scale: Scale): { warm: readonly Mail[]; turns: readonly Mail[][] } {
  const loopMs = (of.count * of.size * LOOP_MS) / 1_000;
  const most = Math.min(TURN_MESSAGES_MAX, TURN_OCTETS / of.size, TURN_LOOP_MS / loopMs);
  const each = scale === "tiny" ? 6 : Math.ceil(Math.max(most, TURN_MESSAGES_MIN));
  const mail = gridMail(of, `${of.kind}, ${of.size}, ${of.share}`);
  const take = (count: number): Mail[] => Array.from({ length: count }, () => mail.next().value);
  const warmMost = Math.min(WARM_MESSAGES, WARM_OCTETS / of.size, WARM_LOOP_MS / loopMs);
  const [first, ...others] = take(scale === "tiny" ? each : Math.ceil(Math.max(each, warmMost)));
  // One that no rule matches, so that what is made once is made before the turns.
  const quiet = { ...first!, body: "~ ".repeat(Math.ceil(of.size / 2)) };
  const warm = [first!, quiet, ...others];
  return { warm, turns: Array.from({ length: scale === "tiny" ? 1 : TURNS }, () => take(each)) };
}

function ownWork(of: GridCase, scale: Scale, decide: (mail: Mail) => string): TurnWork {
  const { warm, turns } = mailOf(of, scale);
  return {
    turns: turns.length,
    operations: turns[0]!.length,
    warm() {
      const begun = ownCpuNs();
      do for (const mail of warm) decide(mail);
      while (scale === "full" && ownCpuNs() - begun < WARM_MS * 1e6);
    },
    turn(nth) {
      const messages = turns[nth]!;
      const answers: string[] = [];
      const begun = ownCpuNs();
      for (const mail of messages) answers.push(decide(mail));
      return { cost: ownCpuNs() - begun, answers };
    },
  };
}

function ruleConfig({ fact, pattern, text }: GridRule, index: number): unknown {
  const [id, rank, forward] = [String(index), index + 1, "m@x.test"];
  if (fact === "recipient") return { id, rank, type: "alias", config: { alias: pattern, forward } };
  if (text === undefined)
    return { id, rank, type: "regex", config: { regex: pattern, scopes: [fact], forward } };
  const expression = `body.contains(${JSON.stringify(text)})`;
  return { id, rank, type: "cel", config: { expression, forward } };
}

function mailflow(of: GridCase, scale: Scale): TurnWork {
  const domain = compileAlone({
    domain: "own.test",
    routing_engine: "rules",
    rules_fallback_email: null,
    rules: gridRules(of).map(ruleConfig),
  });
  return ownWork(of, scale, (mail) => {
    const resolution = resolve(domain, mail);
    return resolution.verdict === "decided" ? (resolution.decidedBy?.id ?? NONE) : "undecided";
  });
}

function testOf({ fact, pattern, text }: GridRule): (mail: Mail) => boolean {
  if (text !== undefined) return ({ body }) => body.includes(text);
  if (fact === "recipient") {
    const address = `${pattern}@own.test`;
    return ({ recipient }) => recipient === address;
  }
  const regExp = toRegExp(pattern);
  if (fact === "sender") return ({ sender }) => regExp.test(sender);
  if (fact === "subject") return ({ subject }) => regExp.test(subject);
  return ({ body }) => regExp.test(body);
}

/** The loop that a server author writes first. It lower-cases the addresses of each message, as every host must, and does nothing else. */
function naiveLoop(of: GridCase, scale: Scale): TurnWork {
  const tests = gridRules(of).map(testOf);
  return ownWork(of, scale, ({ recipient, sender, subject, body }) => {
    const mail = {
      recipient: recipient.toLowerCase(),
      sender: sender.toLowerCase(),
      subject,
      body,
    };
    for (let index = 0; index < tests.length; index++)
      if (tests[index]!(mail)) return String(index);
    return NONE;
  });
}

/** What rigs read: the rules' facts and patterns, then the facts of all messages, four in a row. */
async function rigged(
  rig: Rig,
  mode: string,
  of: GridCase,
  scale: Scale,
): Promise<TurnWork | Absent> {
  const { warm, turns } = mailOf(of, scale);
  const rules = gridRules(of);
  const messages = [warm, ...turns].flat();
  const lists = [
    rules.map(({ fact }) => fact),
    rules.map(({ fact, pattern }) => (fact === "recipient" ? `${pattern}@own.test` : pattern)),
    messages.flatMap(({ recipient, sender, subject, body }) => [recipient, sender, subject, body]),
  ];
  const started = await startRig(
    rig,
    mode,
    lists.map((list) => list.map((text) => Buffer.from(text))),
  );
  if ("absent" in started) return started;
  const each = turns[0]!.length;
  return {
    turns: turns.length,
    operations: each,
    async warm() {
      let spent = 0;
      do spent += (await started.run(0, warm.length)).cost;
      while (scale === "full" && spent < RIG_WARM_MS * 1e6);
    },
    turn: (nth): Promise<{ cost: number; answers: Answers }> =>
      started.run(warm.length + nth * each, each),
    close: started.close,
  };
}

export const GRID_CONTESTANTS: readonly Contestant[] = [
  { name: "mailflow", prepare: (name, scale) => mailflow(gridCase(name), scale) },
  { name: "naive loop", prepare: (name, scale) => naiveLoop(gridCase(name), scale) },
  {
    name: "Hyperscan",
    prepare: (name, scale) => {
      const of = gridCase(name);
      const isLong = of.share !== null && of.count > HYPERSCAN_PATTERNS_MAX;
      return isLong ? absent("compiles for minutes") : rigged(HYPERSCAN, CACHE, of, scale);
    },
  },
  {
    name: "RE2::Set, 256 MB",
    prepare: (name, scale) => rigged(RE2_SET, "256", gridCase(name), scale),
  },
];
