/** A raw message → decision, against other mail filters with the same rules. */
import { route } from "../src/message/route.ts";
import type { Bench, Scale, Work } from "./bench.ts";
import { compileAlone } from "./compilers.ts";
import { type MixedRule, mixedDomain, mixedRules } from "./material/mixed-rules.ts";
import { type MarkedMail, markedMail } from "./peer-material.ts";
import { pigeonhole } from "./pigeonhole.ts";
import { parseTuned } from "./reading-rivals.ts";
import { rspamd } from "./rspamd.ts";
import { regExpLoop } from "./rules-rivals.ts";

const MESSAGES: Readonly<Record<Scale, number>> = { full: 256, tiny: 12 };

interface Setting {
  readonly rules: readonly MixedRule[];
  readonly mail: readonly MarkedMail[];
}

const HEADER_ONLY = "without body rules";

/** `1000 mixed rules, realistic` → rules and messages; without body rules the header decides. */
async function setting(caseName: string, scale: Scale): Promise<Setting> {
  const count = Number.parseInt(caseName, 10);
  const isUnmatched = !caseName.includes("realistic");
  const rules = await mixedRules(count, "mix", isUnmatched ? "unmatched" : "realistic");
  const isHeaderOnly = caseName.includes(HEADER_ONLY);
  return {
    rules: isHeaderOnly ? rules.filter(({ kind }) => kind !== "body") : rules,
    mail: await markedMail(MESSAGES[scale]),
  };
}

async function ours(caseName: string, scale: Scale): Promise<Work> {
  const { rules, mail } = await setting(caseName, scale);
  const domain = compileAlone(mixedDomain(rules));
  return {
    operations: mail.length,
    async run() {
      const answers: string[] = [];
      for (const { recipient, sender, bytes } of mail) {
        const { decision } = await route(domain, { recipient, sender }, bytes);
        answers.push(decision.decidedBy?.id ?? "none");
      }
      return answers;
    },
  };
}

/** What is written first in JavaScript: parse everything, then try each rule. */
async function parseAndLoop(caseName: string, scale: Scale): Promise<Work> {
  const { rules, mail } = await setting(caseName, scale);
  return {
    operations: mail.length,
    async run() {
      const parsed: { recipient: string; sender: string; subject: string; body: string }[] = [];
      for (const { recipient, bytes } of mail) {
        const { sender, subject, body = "" } = await parseTuned(bytes);
        parsed.push({ recipient, sender: sender.toLowerCase(), subject, body });
      }
      const loop = regExpLoop({ rules, mail: parsed });
      return "run" in loop ? loop.run() : [];
    },
  };
}

function disagreeing(agreementMin: number): { agreementMin: number; why: string } {
  const why = "each reads malformed mail, HTML and line breaks in its own way";
  return { agreementMin, why };
}

export const peersBench: Bench = {
  name: "peers",
  title: "a raw message of the dataset → decision, with the same mixed rules",
  operation: "message",
  cases: (scale) =>
    scale === "tiny"
      ? ["20 mixed rules, realistic"]
      : [
          "1000 mixed rules, nothing matches",
          "1000 mixed rules, realistic",
          `1000 mixed rules ${HEADER_ONLY}, nothing matches`,
        ],
  contestants: [
    { name: "mailflow", prepare: ours },
    {
      name: "mailparser, tuned + RegExp loop",
      differs: disagreeing(0.9),
      prepare: parseAndLoop,
    },
    {
      name: "rspamd, one worker",
      differs: disagreeing(0.8),
      async prepare(caseName, scale) {
        const { rules, mail } = await setting(caseName, scale);
        return rspamd(rules, mail);
      },
    },
    {
      name: "Dovecot Pigeonhole, sieve-filter",
      differs: disagreeing(0.8),
      async prepare(caseName, scale) {
        const { rules, mail } = await setting(caseName, scale);
        return pigeonhole(rules, mail);
      },
    },
  ],
};
