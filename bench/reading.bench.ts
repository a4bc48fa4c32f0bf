/** A raw message → the facts that rules see, of the header alone and with the body. */

import { headerFactsOf, messageFactsOf } from "../src/message/read-message.ts";
import {
  type Absent,
  type Answers,
  absent,
  type Bench,
  type MeasuredWork,
  type OwnWork,
  type Scale,
  type Work,
} from "./bench.ts";
import { loadRival } from "./load-rival.ts";
import { rawMail } from "./material/mail.ts";
import {
  bothTexts,
  headerOnly,
  parseTuned,
  type Reader,
  type ReadFacts,
  readMailparser,
} from "./reading-rivals.ts";
import { buildRig, type Rig, startRig } from "./rig.ts";

const MESSAGES: Readonly<Record<Scale, number>> = { full: 512, tiny: 24 };
const GMIME: Rig = {
  name: "gmime",
  pkgConfigName: "gmime-3.0",
  debianPackage: "libgmime-3.0-dev",
};

const HEADER = "header stage";
const FIELDS = "header stage, every field decoded";
const BODY = "body stage";

/** What the rig calls the cases. */
const MODES: Readonly<Record<string, string>> = {
  [HEADER]: "header",
  [FIELDS]: "fields",
  [BODY]: "body",
};

/** Letters and digits are compared: readers differ in how they break lines and fold blanks. */
function tell({ sender, subject, body = "" }: ReadFacts): string {
  const text = body.replace(/[^A-Za-z0-9]+/g, "").slice(0, 200);
  const head = `${sender.toLowerCase()}|${subject}`.replace(/[\s\u0000-\u001f]+/g, "");
  return `${head}|${text}`;
}

function readingWork(
  scale: Scale,
  readBytes: Reader,
  only: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): OwnWork<ReadFacts[]> {
  const messages = rawMail(MESSAGES[scale]).map(({ bytes }) => only(bytes));
  return {
    operations: messages.length,
    async run() {
      const read: ReadFacts[] = [];
      for (const bytes of messages) {
        const facts = readBytes(bytes);
        read.push(facts instanceof Promise ? await facts : facts);
      }
      return read;
    },
    tell: (read) => read.map(tell),
  };
}

const readOurs: Readonly<Record<string, Reader>> = {
  [HEADER]: (bytes) => {
    const { from, subject } = headerFactsOf(bytes);
    return { sender: from ?? "", subject };
  },
  [FIELDS]: (bytes) => {
    const { from, subject, headers } = headerFactsOf(bytes);
    let fields = 0;
    for (const values of headers.values()) fields += values.length;
    return { sender: from ?? "", subject, fields };
  },
  [BODY]: (bytes) => {
    const { from, subject, body } = messageFactsOf(bytes);
    return { sender: from ?? "", subject, body };
  },
};

/** A reader that knows no stages is handed the header alone where no more is asked. */
function readingAlike(caseName: string, scale: Scale, reader: Reader): OwnWork<ReadFacts[]> {
  if (caseName === BODY) return readingWork(scale, reader);
  const headOf: Reader = async (bytes) => {
    const { sender, subject } = await reader(bytes);
    return { sender, subject };
  };
  return readingWork(scale, headOf, headerOnly);
}

async function postalMime(caseName: string, scale: Scale): Promise<Work | Absent> {
  const loaded = await loadRival(() => import("postal-mime"));
  if ("absent" in loaded) return absent(loaded.absent);
  const { default: PostalMime } = loaded;
  const readBytes: Reader = async (bytes) => {
    const { from, subject, text, html } = await PostalMime.parse(bytes);
    const body = bothTexts(text, html);
    return { sender: from?.address ?? "", subject: subject ?? "", body };
  };
  return readingAlike(caseName, scale, readBytes);
}

/** Readers disagree on malformed mail; tests class each of our disagreements with mailparser. */
function disagreeing(agreementMin: number): { agreementMin: number; why: string } {
  return { agreementMin, why: "readers differ on malformed mail and on how HTML becomes text" };
}

async function gmime(caseName: string, scale: Scale): Promise<MeasuredWork | Absent> {
  const isBody = caseName === BODY;
  const messages = rawMail(MESSAGES[scale]).map(({ bytes }) =>
    isBody ? bytes : headerOnly(bytes),
  );
  const rig = await startRig(GMIME, MODES[caseName]!, [messages]);
  if ("absent" in rig) return rig;
  return {
    operations: messages.length,
    async measure(runs) {
      let [cost, answers]: [number, Answers] = [0, []];
      for (let run = 0; run < runs; run++) {
        const round = await rig.run(0, messages.length);
        cost += round.cost;
        answers = round.answers;
      }
      return { cost, answers };
    },
    close: rig.close,
  };
}

export const readingBench: Bench = {
  name: "reading",
  title: "a raw message of the dataset → sender, subject and, at the body stage, its text",
  operation: "message",
  // A server reads for days; the code that reads HTML is large, and compiled late.
  warmRounds: 12,
  cases: () => [HEADER, FIELDS, BODY],
  contestants: [
    {
      name: "mailflow",
      prepare: (caseName, scale) => readingWork(scale, readOurs[caseName]!),
    },
    {
      name: "mailparser, tuned",
      differs: disagreeing(0.9),
      prepare: (caseName, scale) => readingAlike(caseName, scale, parseTuned),
    },
    {
      name: "mailparser, as it comes",
      differs: disagreeing(0.8),
      prepare: (caseName, scale) => readingAlike(caseName, scale, readMailparser),
    },
    { name: "postal-mime", differs: disagreeing(0.9), prepare: postalMime },
    {
      name: "GMime (C)",
      // It leaves HTML as it is.
      differs: disagreeing(0.8),
      prepare: (caseName, scale) => gmime(caseName, scale),
    },
  ],
  build: () => buildRig(GMIME),
};
