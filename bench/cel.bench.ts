/** One CEL expression on one message. */
import { Environment } from "@marcbachmann/cel-js";
import { compileExpression } from "../src/engine/cel/compile-expression.ts";
import { type Absent, absent, type Bench, type Scale, type Work } from "./bench.ts";
import { loadRival } from "./load-rival.ts";
import {
  type BenchExpression,
  EXPRESSIONS,
  type ExpressionFacts,
  MISSING_KEY,
  type Verdict,
} from "./material/expressions.ts";
import { parsedFacts } from "./material/mail.ts";

const MESSAGES: Readonly<Record<Scale, number>> = { full: 128, tiny: 12 };
/** Turns over the messages in one run: one expression takes tens of nanoseconds. */
const TURNS: Readonly<Record<Scale, number>> = { full: 32, tiny: 1 };

/** Compiles one expression to what answers for the message at an index. */
type Compile = (expression: BenchExpression) => (index: number) => Verdict;

/** Each message is put to one expression after the other, as to rules, but for those whose cost is a search of the body. */
const IN_TURN = "in turn";

/** Runs all expressions before the one that is measured, as a server does. */
function workOf(caseName: string, messages: number, scale: Scale, compile: Compile): Work {
  const programs = EXPRESSIONS.map((expression) => ({ expression, answer: compile(expression) }));
  for (let turn = 0; turn < TURNS[scale]; turn++) {
    for (const { answer } of programs) for (let at = 0; at < messages; at++) answer(at);
  }
  if (caseName === IN_TURN) {
    const chosen = programs.filter(({ expression }) => isInTurn(expression));
    return workInTurn(
      chosen.map(({ answer }) => answer),
      messages,
      scale,
    );
  }
  // V8 sees that this loop has one expression, and compiles it in: closures by hand then cost no call at all.
  const { answer } = programs.find(({ expression }) => expression.name === caseName)!;
  const answers: Verdict[] = new Array(messages).fill("false");
  return {
    operations: messages * TURNS[scale],
    run() {
      for (let turn = 0; turn < TURNS[scale]; turn++) {
        for (let at = 0; at < messages; at++) answers[at] = answer(at);
      }
      return answers;
    },
  };
}

function isInTurn({ name, source }: BenchExpression): boolean {
  return name !== MISSING_KEY && !source.includes("body");
}

function workInTurn(
  programs: readonly ((index: number) => Verdict)[],
  messages: number,
  scale: Scale,
): Work {
  const answers: Verdict[] = new Array(messages * programs.length).fill("false");
  return {
    operations: answers.length * TURNS[scale],
    run() {
      for (let turn = 0; turn < TURNS[scale]; turn++) {
        let next = 0;
        for (let at = 0; at < messages; at++) {
          for (const answer of programs) answers[next++] = answer(at);
        }
      }
      return answers;
    },
  };
}

function verdictOf(value: unknown): Verdict {
  return value === true ? "true" : value === false ? "false" : "failed";
}

async function ours(caseName: string, scale: Scale): Promise<Work> {
  const facts = parsedFacts(MESSAGES[scale], "sample");
  return workOf(caseName, facts.length, scale, ({ source }) => {
    const result = compileExpression(source);
    if (!result.ok) throw new Error(result.problems[0]!.message);
    const { expression } = result;
    return (index) => {
      const { outcome } = expression.evaluate(facts[index]!);
      return outcome.kind === "value" ? (outcome.value ? "true" : "false") : "failed";
    };
  });
}

async function handWritten(caseName: string, scale: Scale): Promise<Work> {
  const facts = parsedFacts(MESSAGES[scale], "sample");
  return workOf(caseName, facts.length, scale, ({ byHand }) => (index) => {
    const value = byHand(facts[index]!);
    return value === true ? "true" : value === false ? "false" : "failed";
  });
}

/** CEL's integers are bigints to the other implementations; they are made once. */
function withBigInts(facts: ExpressionFacts): Record<string, unknown> {
  const { size, attachments, headers, sender, recipient, subject, body } = facts;
  const counted = attachments.map((each) => ({ ...each, size: BigInt(each.size) }));
  return { sender, recipient, subject, body, headers, attachments: counted, size: BigInt(size) };
}

async function library(caseName: string, scale: Scale): Promise<Work> {
  const facts = parsedFacts(MESSAGES[scale], "sample").map(withBigInts);
  const environment = new Environment()
    .registerVariable("headers", "map<string, list<string>>")
    .registerVariable("attachments", "list<map<string, dyn>>")
    .registerVariable("size", "int");
  for (const name of ["recipient", "sender", "subject", "body"])
    environment.registerVariable(name, "string");
  return workOf(caseName, facts.length, scale, ({ source }) => {
    const evaluate = environment.parse(source);
    return (index) => {
      try {
        return verdictOf(evaluate(facts[index]!));
      } catch {
        return "failed";
      }
    };
  });
}

async function bufbuild(caseName: string, scale: Scale): Promise<Work | Absent> {
  const loaded = await loadRival(async () => ({
    cel: await import("@bufbuild/cel"),
    ext: await import("@bufbuild/cel/ext"),
  }));
  if ("absent" in loaded) return absent(loaded.absent);
  const { celEnv, parse, plan, CelScalar, listType, mapType } = loaded.cel;
  const text = CelScalar.STRING;
  const environment = celEnv({
    funcs: [...loaded.ext.strings],
    variables: {
      sender: text,
      recipient: text,
      subject: text,
      body: text,
      headers: mapType(text, listType(text)),
      attachments: listType(mapType(text, CelScalar.DYN)),
      size: CelScalar.INT,
    },
  });
  const facts = parsedFacts(MESSAGES[scale], "sample").map((each) => {
    const { attachments, ...rest } = withBigInts(each);
    const maps = (attachments as object[]).map((one) => new Map(Object.entries(one)));
    return { ...rest, attachments: maps };
  });
  return workOf(caseName, facts.length, scale, ({ source }) => {
    const evaluate = plan(environment, parse(source)) as (context: unknown) => unknown;
    return (index) => verdictOf(evaluate(facts[index]!));
  });
}

export const celBench: Bench = {
  name: "cel",
  title: "realistic CEL expressions on messages of the dataset, and a missing key",
  operation: "evaluation",
  cases: (scale) =>
    scale === "tiny"
      ? ["sender's domain", MISSING_KEY, IN_TURN]
      : [...EXPRESSIONS.map(({ name }) => name), IN_TURN],
  meansWithout: [MISSING_KEY, IN_TURN],
  contestants: [
    { name: "mailflow", prepare: ours },
    { name: "closures by hand", prepare: handWritten },
    { name: "@marcbachmann/cel-js", prepare: library },
    { name: "@bufbuild/cel", prepare: bufbuild },
  ],
};
