/** What a pause before each message costs: the service in process, without sockets. Work after a pause finds cold caches. */
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { createSimulator } from "../src/simulator/index.ts";
import type { Bench, Scale, Work } from "./bench.ts";
import { ownCpuNs } from "./cpu-time.ts";
import { markedMail } from "./peer-material.ts";
import { CASES, DOMAIN, domainFor } from "./simulator-smtp.bench.ts";

const MESSAGES: Readonly<Record<Scale, number>> = { full: 200, tiny: 5 };
/** Runs before the first that counts, without pauses. */
const WARM_RUNS: Readonly<Record<Scale, number>> = { full: 30, tiny: 0 };

/** `wait` comes before each message; a delivery runs within it. */
async function handOver(
  caseName: string,
  scale: Scale,
  wait: () => Promise<unknown>,
): Promise<Work> {
  const simulator = await createSimulator({ world: { domains: [domainFor(caseName)] } });
  const mails = (await markedMail(MESSAGES[scale])).map(({ bytes }, index) => ({
    envelope: { sender: "ann@source.test", recipients: [`u${index}@${DOMAIN}`] },
    message: bytes,
  }));
  async function handAll(before: typeof wait): Promise<string[]> {
    const answers: string[] = [];
    for (const mail of mails) {
      await before();
      const [answer] = await simulator.receive(mail);
      answers.push(String(answer!.code));
    }
    await simulator.clock.advance(0);
    return answers;
  }
  for (let run = 0; run < WARM_RUNS[scale]; run++) await handAll(turn);
  return {
    operations: MESSAGES[scale],
    async measure(runs) {
      let answers: string[] = [];
      const start = ownCpuNs();
      for (let run = 0; run < runs; run++) answers = await handAll(wait);
      return { cost: ownCpuNs() - start, answers };
    },
    close: () => void simulator.close(),
  };
}

/** The pauses between so many messages, with nothing to do. */
function onlyPauses(scale: Scale): Work {
  const operations = MESSAGES[scale];
  return {
    operations,
    async run() {
      const answers: string[] = [];
      for (let nth = 0; nth < operations; nth++) {
        await pause(1);
        answers.push("250");
      }
      return answers;
    },
  };
}

export const simulatorPausesBench: Bench = {
  name: "simulator-pauses",
  title: "the service in process: messages that follow at once, and after a pause of 1 ms each",
  operation: "message",
  cases: () => CASES,
  contestants: [
    { name: "at once", prepare: (name, scale) => handOver(name, scale, () => turn()) },
    {
      name: "after a pause of 1 ms",
      prepare: (name, scale) => handOver(name, scale, () => pause(1)),
    },
    { name: "pauses without messages", prepare: (_, scale) => onlyPauses(scale) },
  ],
};
