/** What `mailflow route` says of each message: its decisions, or why there are none; and the summary of many. */

import type { TraceEntry } from "../../engine/routing/explain.ts";
import type { Action } from "../../engine/routing/resolution.ts";
import type { MessageProblem } from "../../message/header/message-problem.ts";
import type { RoutedAnswer, RoutingQuestion } from "../../rehearse/route-message.ts";
import { count, number } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import type { CommandReport } from "../report.ts";
import { ACTION_WORDS, showDecision } from "./show-decision.ts";
import { showExplanation } from "./show-trace.ts";

/** Code units to keep of a text without a match: a thousand rules may all have searched one long body. */
const MISSED_UNITS_MAX = 1_000;

/** A search without a match, with its text cut. */
function cutMissed(part: unknown): unknown {
  const { actual, verdict } = (part ?? {}) as { actual?: unknown; verdict?: unknown };
  if (typeof actual !== "string" || verdict === "matched" || actual.length <= MISSED_UNITS_MAX) {
    return part;
  }
  return { ...(part as object), actual: `${actual.slice(0, MISSED_UNITS_MAX).toWellFormed()}…` };
}

function withoutLongTexts(entry: TraceEntry): object {
  const parts = Object.entries(entry).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(cutMissed) : value,
  ]);
  return Object.fromEntries(parts);
}

/** For people, the problems of a message go to standard error, and before its decision. */
export function problemsReport(
  message: string,
  problems: readonly MessageProblem[],
): CommandReport {
  const lines = problems.map(
    (problem): Line => [styled("yellow", "warning: "), `${message}: ${problem.message}`],
  );
  return { to: "stderr", text: () => lines };
}

export function decisionReport(
  message: string,
  recipient: string,
  { decision, facts, trace }: RoutedAnswer,
  problems: readonly MessageProblem[],
  question: Pick<RoutingQuestion, "domain" | "trace">,
): CommandReport {
  const isExplained = question.trace === "everything";
  return {
    text: () => [
      ...showDecision(message, recipient, decision, question.domain, trace),
      ...(isExplained ? showExplanation(facts, trace) : []),
      [],
    ],
    json: () => {
      const { action, reason, decidedBy, destinations, reply } = decision;
      return {
        ...{ message, recipient, action, reason, decidedBy, destinations },
        ...(reply !== undefined && { reply }),
        ...(problems.length > 0 && { problems }),
        ...(isExplained && { trace: trace.map(withoutLongTexts) }),
      };
    },
  };
}

const NOTHING = { recipient: null, action: null, reason: null, decidedBy: null, destinations: [] };

function notRouted(
  message: string,
  problems: readonly object[],
  lines: readonly string[],
): CommandReport {
  return {
    text: () => [
      [styled("bold", message), ": ", styled("yellow", "not routed")],
      ...lines.map((line) => [`  ${line}`]),
      [],
    ],
    json: () => ({ message, ...NOTHING, problems }),
  };
}

/** The message names no recipient at the domain. */
export function noRecipientReport(
  message: string,
  problems: readonly MessageProblem[],
  domain: string,
): CommandReport {
  const said = `the message names no recipient at \`${domain}\`: give one with --recipient`;
  return notRouted(
    message,
    [...problems, { code: "no-recipient", message: said }],
    [`it names no recipient at ${domain}`, `give one with --recipient somebody@${domain}`],
  );
}

export function unreadableReport(message: string, failure: string): CommandReport {
  return notRouted(message, [{ code: "unreadable", message: failure }], [failure]);
}

/** How many messages were seen, and what became of them. */
export interface RouteCounts {
  messages: number;
  decisions: number;
  unrouted: number;
  readonly actions: Map<Action, number>;
}

/** For people, and only of more than one message. */
export function countsReport({
  messages,
  decisions,
  unrouted,
  actions,
}: RouteCounts): CommandReport {
  if (messages < 2) return {};
  const counts = [...actions].map(
    ([action, times]) => `${number(times)} ${ACTION_WORDS[action].word}`,
  );
  if (unrouted > 0) counts.push(`${number(unrouted)} not routed`);
  const what = `${count(messages, "message")}, ${count(decisions, "decision")}: `;
  return { text: () => [[styled("bold", what), counts.join(", ")]] };
}
