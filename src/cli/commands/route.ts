/** `mailflow route`: where a domain sends messages, and why. */

import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { answer, type Question, readerOf, recipientsNamed } from "../../rehearse/route-message.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { styled, writeLines } from "../line.ts";
import { fileFailure } from "../read/file-failure.ts";
import { type MessageSource, messagesAt, type Unreadable } from "../read/find-messages.ts";
import { SOURCES_ARGUMENT } from "../read/mail-sources.ts";
import { envelopeOf, RECIPIENT_OPTION, SENDER_OPTION } from "../read/read-address.ts";
import { readDomain } from "../read/read-domain.ts";
import type { Report } from "../show/report.ts";
import { jsonReport } from "../show/report-json.ts";
import { textReport } from "../show/report-text.ts";

/** The question for every message; without recipients, those that the message names. */
interface Plan extends Omit<Question, "recipient"> {
  readonly recipients: readonly string[] | null;
}

function planOf(given: Given, domain: CompiledDomain): Plan {
  const { recipients = null, sender } = envelopeOf(given, domain);
  const { options } = given;
  const senderSource = options.get("sender-source")?.[0] === "envelope" ? "envelope" : "header";
  if (senderSource === "envelope" && sender === undefined) {
    throw new UsageError("`--sender-source envelope` needs to know it: add `--sender <address>`");
  }
  const everything = options.has("explain");
  const trace = everything ? "everything" : options.has("json") ? "nothing" : "decision";
  return { domain, recipients, sender, senderSource, trace };
}

async function routeMessage(
  plan: Plan,
  source: MessageSource | Unreadable,
  report: Report,
): Promise<void> {
  await report.begin(source.name);
  if ("failure" in source) return report.unreadable(source.failure);
  try {
    const reader = readerOf(source);
    const recipients = plan.recipients ?? (await recipientsNamed(plan.domain, reader));
    for (const recipient of recipients) {
      const answered = await answer({ ...plan, recipient }, reader);
      await report.answered(recipient, answered, reader.problems());
    }
    if (recipients.length === 0) await report.noRecipient(reader.problems());
  } catch (error) {
    await report.unreadable(fileFailure(error, source.name, "a message"));
  }
}

async function runRoute(given: Given, io: CliIo): Promise<number> {
  const [domainPath, ...paths] = given.arguments;
  const file = await readDomain(domainPath!, io);
  if (!file.ok) {
    await writeLines(io.stderr, io.env, file.lines);
    return EXIT.unusable;
  }
  const plan = planOf(given, file.domain);
  // All paths at once: a mistyped path is reported before anything is routed.
  const places = await Promise.all(paths.map((path) => messagesAt(path, io)));
  const report = given.options.has("json") ? jsonReport(plan, io) : textReport(plan, io);
  for (const [index, sources] of places.entries()) {
    let isEmpty = true;
    for await (const source of sources) {
      isEmpty = false;
      await routeMessage(plan, source, report);
    }
    if (isEmpty) {
      const said = `no messages in \`${paths[index]}\``;
      await writeLines(io.stderr, io.env, [[styled("yellow", "warning: "), said]]);
    }
  }
  return (await report.end()) > 0 ? EXIT.ok : EXIT.unusable;
}

export const routeCommand: Command = {
  name: "route",
  summary: "shows where a domain sends messages, and why",
  arguments: [
    {
      name: "domain.json",
      count: "one",
      description: "the domain with its aliases and rules, as the API returns them",
    },
    SOURCES_ARGUMENT,
  ],
  options: [
    RECIPIENT_OPTION,
    SENDER_OPTION,
    {
      name: "sender-source",
      value: "source",
      choices: ["header", "envelope"],
      description: "what rules see as the sender: From (the default) or --sender",
    },
    { name: "explain", description: "show every alias or rule tried, and why each missed" },
    { name: "json", description: "one JSON object per decision and line" },
  ],
  notes: [
    "",
    "A message is read no further than its decision needs; with --explain it is read whole.",
    "In --json a decision has message, recipient, action, reason, decidedBy and destinations; reply if it is",
    "rejected; problems if the message is damaged; and with --explain a trace with an entry for each alias or",
    "rule, in which texts that a pattern is not in are cut at 1,000 characters. A message without a recipient",
    "has recipient, action, reason and decidedBy null, and says why in problems.",
    "Exit code: 0 something was routed, 2 nothing was, wrong use, or a domain with errors.",
  ],
  examples: [
    "mailflow route example.com.json message.eml",
    "mailflow route example.com.json archive.mbox --explain",
    "mailflow route example.com.json - --recipient sales@example.com < message.eml",
    "mailflow route example.com.json Maildir/ --json | jq -r .action | sort | uniq -c",
  ],
  run: runRoute,
};
