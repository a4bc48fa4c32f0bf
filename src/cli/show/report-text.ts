/** Decisions for people: three lines each, the trace if asked for, and a summary of many. */
import type { Action } from "../../engine/routing/resolution.ts";
import { count, number } from "../count.ts";
import type { CliIo, Output } from "../io.ts";
import { type Line, styled, writeLines } from "../line.ts";
import type { Report, Told } from "./report.ts";
import { ACTION_WORDS, showDecision } from "./show-decision.ts";
import { showExplanation } from "./show-trace.ts";

/** Messages between two updates of the progress line. */
const PROGRESS_STEP = 50;

/** A line that is overwritten; only for a terminal that shows nothing else. */
function progressLine({ stdout, stderr }: { stdout: Output; stderr: Output }): {
  update(messages: number): Promise<void>;
  clear(): Promise<void>;
} {
  const shown = stderr.isTerminal && !stdout.isTerminal;
  let isThere = false;
  return {
    async update(messages) {
      if (!shown || messages % PROGRESS_STEP !== 0) return;
      isThere = true;
      await stderr.write(`\r${count(messages, "message")} …\u001b[K`);
    },
    async clear() {
      if (isThere) await stderr.write("\r\u001b[K");
      isThere = false;
    },
  };
}

export function textReport({ trace, domain }: Told, io: CliIo): Report {
  const actions = new Map<Action, number>();
  const progress = progressLine(io);
  let messages = 0;
  let decisions = 0;
  let unrouted = 0;
  let message = "";
  /** Problems of this message that were shown. */
  let warned = 0;

  async function warn(problems: readonly { readonly message: string }[]): Promise<void> {
    const lines = problems
      .slice(warned)
      .map((problem): Line => [styled("yellow", "warning: "), `${message}: ${problem.message}`]);
    warned = Math.max(warned, problems.length);
    if (lines.length > 0) await progress.clear();
    await writeLines(io.stderr, io.env, lines);
  }

  async function notRouted(lines: readonly Line[]): Promise<void> {
    unrouted++;
    const head: Line = [styled("bold", message), ": ", styled("yellow", "not routed")];
    await writeLines(io.stdout, io.env, [head, ...lines, []]);
  }

  function summary(): Line {
    const counts = [...actions].map(
      ([action, times]) => `${number(times)} ${ACTION_WORDS[action].word}`,
    );
    if (unrouted > 0) counts.push(`${number(unrouted)} not routed`);
    const what = `${count(messages, "message")}, ${count(decisions, "decision")}: `;
    return [styled("bold", what), counts.join(", ")];
  }

  return {
    async begin(name) {
      message = name;
      warned = 0;
      messages++;
      await progress.update(messages);
    },
    async answered(recipient, answer, problems) {
      await warn(problems);
      decisions++;
      const { action } = answer.decision;
      actions.set(action, (actions.get(action) ?? 0) + 1);
      await writeLines(io.stdout, io.env, [
        ...showDecision(message, recipient, answer.decision, domain, answer.trace),
        ...(trace === "everything" ? showExplanation(answer.facts, answer.trace) : []),
        [],
      ]);
    },
    async noRecipient(problems) {
      await warn(problems);
      await notRouted([
        [`  it names no recipient at ${domain.name}`],
        [`  name one with --recipient somebody@${domain.name}`],
      ]);
    },
    async unreadable(failure) {
      await notRouted([[`  ${failure}`]]);
    },
    async end() {
      await progress.clear();
      if (messages > 1) await writeLines(io.stdout, io.env, [summary()]);
      return decisions;
    },
  };
}
