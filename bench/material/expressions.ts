/** Expressions as rule authors write them, each with the closure that a programmer would write instead. */
import type { MessageFacts } from "../../src/message/header/message-facts.ts";

/** What expressions are evaluated on. */
export interface ExpressionFacts
  extends Pick<MessageFacts, "subject" | "body" | "headers" | "attachments" | "size"> {
  readonly sender: string;
  readonly recipient: string;
}

/** `failed`: CEL's error, which a rule engine has to survive. */
export type Verdict = "true" | "false" | "failed";

export interface BenchExpression {
  readonly name: string;
  readonly source: string;
  readonly byHand: (facts: ExpressionFacts) => boolean | "failed";
}

const STAFF = new Set([
  "ann@own.test",
  "bob@own.test",
  "cid@own.test",
  "tips@spamassassin.taint.org",
]);

export const MISSING_KEY = "missing key";

export const EXPRESSIONS: readonly BenchExpression[] = [
  {
    name: "one sender",
    source: 'sender == "pudge@perl.org"',
    byHand: ({ sender }) => sender === "pudge@perl.org",
  },
  {
    name: "sender in a list",
    source:
      'sender in ["ann@own.test", "bob@own.test", "cid@own.test", "tips@spamassassin.taint.org"]',
    byHand: ({ sender }) => STAFF.has(sender),
  },
  {
    name: "sender's domain",
    source: 'sender.endsWith("@yahoo.com")',
    byHand: ({ sender }) => sender.endsWith("@yahoo.com"),
  },
  {
    name: "sender of two domains",
    source: 'sender.endsWith("@hotmail.com") || sender.endsWith("@aol.com")',
    byHand: ({ sender }) => sender.endsWith("@hotmail.com") || sender.endsWith("@aol.com"),
  },
  {
    name: "subject's tag",
    source: 'subject.startsWith("[ILUG]")',
    byHand: ({ subject }) => subject.startsWith("[ILUG]"),
  },
  {
    name: "subject's word",
    source: 'subject.contains("free")',
    byHand: ({ subject }) => subject.includes("free"),
  },
  {
    name: "subject's word, sender's domain",
    source: 'subject.contains("Re:") && sender.endsWith(".org")',
    byHand: ({ subject, sender }) => subject.includes("Re:") && sender.endsWith(".org"),
  },
  {
    name: "subject in lower case",
    source: 'subject.lowerAscii().contains("offer")',
    byHand: ({ subject }) => subject.toLowerCase().includes("offer"),
  },
  {
    name: "subject's pattern",
    source: 'subject.matches("[Ii]nvoice|[Rr]eceipt|[Oo]rder [0-9]+")',
    byHand: ({ subject }) => /[Ii]nvoice|[Rr]eceipt|[Oo]rder [0-9]+/u.test(subject),
  },
  {
    name: "no subject or no sender",
    source: 'subject == "" || sender == ""',
    byHand: ({ subject, sender }) => subject === "" || sender === "",
  },
  {
    name: "recipient, not from within",
    source: 'recipient.startsWith("fork") && !sender.endsWith("@own.test")',
    byHand: ({ recipient, sender }) =>
      recipient.startsWith("fork") && !sender.endsWith("@own.test"),
  },
  {
    name: "large",
    source: "size > 10000",
    byHand: ({ size }) => size > 10_000,
  },
  {
    name: "large or from a domain",
    source: 'size > 50000 ? sender.endsWith(".com") : subject != ""',
    byHand: ({ size, sender, subject }) =>
      size > 50_000 ? sender.endsWith(".com") : subject !== "",
  },
  {
    name: "body's word",
    source: 'body.contains("unsubscribe")',
    byHand: ({ body }) => body.includes("unsubscribe"),
  },
  {
    name: "body's words, short mail",
    source: 'size < 20000 && (body.contains("click here") || body.contains("removed"))',
    byHand: ({ size, body }) =>
      size < 20_000 && (body.includes("click here") || body.includes("removed")),
  },
  {
    name: "has a header",
    source: '"list-id" in headers',
    byHand: ({ headers }) => headers.has("list-id"),
  },
  {
    name: "header's word",
    source: '"list-id" in headers && headers["list-id"][0].contains("fork")',
    byHand: ({ headers }) => headers.get("list-id")?.[0]?.includes("fork") ?? false,
  },
  {
    name: "header's count",
    source: '"received" in headers && headers["received"].size() > 5',
    byHand: ({ headers }) => (headers.get("received")?.length ?? 0) > 5,
  },
  {
    name: "any header of many",
    source: '"received" in headers && headers["received"].exists(r, r.contains("dogma"))',
    byHand: ({ headers }) =>
      headers.get("received")?.some((each) => each.includes("dogma")) ?? false,
  },
  {
    name: "attachment's name",
    source: 'attachments.exists(a, a.filename.endsWith(".exe") || a.filename.endsWith(".zip"))',
    byHand: ({ attachments }) =>
      attachments.some(({ filename }) => filename.endsWith(".exe") || filename.endsWith(".zip")),
  },
  {
    name: MISSING_KEY,
    source: 'headers["x-not-there"][0] == "yes"',
    byHand: ({ headers }) => {
      const first = headers.get("x-not-there")?.[0];
      return first === undefined ? "failed" : first === "yes";
    },
  },
];
