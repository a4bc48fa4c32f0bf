/** `mailflow route`: where a domain sends messages, and why. */

import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { UnreadableMessage } from "../../rehearse/diff/compare.ts";
import {
  answer,
  type RoutingQuestion,
  readerOf,
  recipientsNamed,
  type SourceMessage,
} from "../../rehearse/route-message.ts";
import { count } from "../../rehearse/words/count.ts";
import { styled } from "../../rehearse/words/line.ts";
import { type Command, type Given, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { fileFailure } from "../read/files.ts";
import { messagesAt, SOURCES_ARGUMENT } from "../read/find-messages.ts";
import { envelopeOf, RECIPIENT_OPTION, SENDER_OPTION } from "../read/read-address.ts";
import { DOMAIN_ARGUMENT, DOMAIN_FUEL, usableDomain } from "../read/read-domain.ts";
import { type CommandReport, note, type Reports } from "../report.ts";
import {
  countsReport,
  decisionReport,
  noRecipientReport,
  problemsReport,
  type RouteCounts,
  unreadableReport,
} from "../show/show-route.ts";

/** The question for every message; without recipients, those that the message names. */
interface RoutePlan extends Omit<RoutingQuestion, "recipient"> {
  readonly recipients: readonly string[] | null;
}

function planOf(given: Given, domain: CompiledDomain): RoutePlan {
  const { recipients = null, sender } = envelopeOf(given, domain);
  const { options } = given;
  const senderSource = optionOf(given, "sender-source") === "envelope" ? "envelope" : "header";
  if (senderSource === "envelope" && sender === undefined) {
    throw new UsageError("`--sender-source envelope` needs the sender: add `--sender <address>`");
  }
  const everything = options.has("explain");
  const trace = everything ? "everything" : options.has("json") ? "nothing" : "decision";
  return { domain, recipients, sender, senderSource, trace };
}

/** Messages between two updates of the progress line. */
const PROGRESS_STEP = 50;

/** A line that is overwritten; only for a terminal that shows nothing else. */
function progressLine(isShown: boolean, { stderr }: CliIo) {
  let isThere = false;
  return {
    async update(messages: number): Promise<void> {
      if (!isShown || messages % PROGRESS_STEP !== 0) return;
      isThere = true;
      await stderr.write(`\r${count(messages, "message")} …\u001b[K`);
    },
    async clear(): Promise<void> {
      if (isThere) await stderr.write("\r\u001b[K");
      isThere = false;
    },
  };
}

/** Routes one message for each recipient, and counts what becomes of it. */
async function* routeMessage(
  plan: RoutePlan,
  source: SourceMessage | UnreadableMessage,
  counts: RouteCounts,
): Reports<void> {
  const { name } = source;
  const unreadable = (failure: string): CommandReport => {
    counts.unrouted++;
    return unreadableReport(name, failure);
  };
  counts.messages++;
  if ("failure" in source) return yield unreadable(source.failure);
  /** Problems that were reported. */
  let warned = 0;
  try {
    const reader = readerOf(source);
    const newProblems = (): readonly CommandReport[] => {
      const problems = reader.problems().slice(warned);
      warned += problems.length;
      return problems.length === 0 ? [] : [problemsReport(name, problems)];
    };
    const recipients = plan.recipients ?? (await recipientsNamed(plan.domain, reader));
    for (const recipient of recipients) {
      const answered = await answer({ ...plan, recipient }, reader);
      const { action } = answered.decision;
      counts.decisions++;
      counts.actions.set(action, (counts.actions.get(action) ?? 0) + 1);
      yield* newProblems();
      yield decisionReport(name, recipient, answered, reader.problems(), plan);
    }
    if (recipients.length > 0) return;
    counts.unrouted++;
    yield* newProblems();
    yield noRecipientReport(name, reader.problems(), plan.domain.name);
  } catch (error) {
    yield unreadable(fileFailure(error, name, "a message"));
  }
}

async function* runRoute(given: Given, io: CliIo): Reports {
  const [domainPath, ...paths] = given.arguments;
  const { domain } = await usableDomain(domainPath!, given, io);
  const plan = planOf(given, domain);
  // All paths at once: a mistyped path is reported before anything is routed.
  const places = await Promise.all(paths.map((path) => messagesAt(path, io)));
  const counts: RouteCounts = { messages: 0, decisions: 0, unrouted: 0, actions: new Map() };
  const hasProgress = io.stderr.isTerminal && !io.stdout.isTerminal && !given.options.has("json");
  const progress = progressLine(hasProgress, io);
  for (const [index, sources] of places.entries()) {
    const before = counts.messages;
    for await (const source of sources) {
      await progress.update(counts.messages + 1);
      for await (const report of routeMessage(plan, source, counts)) {
        if ("to" in report) await progress.clear();
        yield report;
      }
    }
    if (counts.messages > before) continue;
    yield note([styled("yellow", "warning: "), `no messages in \`${paths[index]}\``]);
  }
  await progress.clear();
  yield countsReport(counts);
  return counts.decisions > 0 ? EXIT.ok : EXIT.unusable;
}

export const routeCommand: Command = {
  name: "route",
  summary: "shows where a domain sends messages, and why",
  arguments: [DOMAIN_ARGUMENT, SOURCES_ARGUMENT],
  options: [
    RECIPIENT_OPTION,
    SENDER_OPTION,
    {
      name: "sender-source",
      value: "source",
      choices: ["header", "envelope"],
      description: "what rules see as the sender: From (default) or --sender",
    },
    {
      name: "explain",
      description: "show every alias or rule that was tried, and why it did not match",
    },
    DOMAIN_FUEL,
    { name: "json", description: "one line of JSON for each decision" },
  ],
  notes: [
    "",
    "route reads only as much of a message as the decision needs; --explain reads all of it.",
    "In --json a decision has message, recipient, action, reason, decidedBy and destinations. It also has reply if",
    "the message is rejected, problems if the message is damaged, and trace with --explain: an entry for each alias",
    "or rule, in which a text that did not match is cut at 1,000 characters. For a message without a recipient,",
    "recipient, action, reason and decidedBy are null, and problems says why.",
    "Exit code: 0 something was routed, 2 nothing was routed, wrong use, or a domain with errors.",
  ],
  examples: [
    "mailflow route example.com.json message.eml",
    "mailflow route example.com.json archive.mbox --explain",
    "mailflow route example.com.json - --recipient sales@example.com < message.eml",
    "mailflow route example.com.json Maildir/ --json | jq -r .action | sort | uniq -c",
  ],
  run: runRoute,
};
