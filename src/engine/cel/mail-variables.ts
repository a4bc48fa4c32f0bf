/** The variables of a rule, read from the facts of a message. */
import { earlierStage, type FactName, type Facts, STAGE_OF } from "../facts/facts.ts";
import type { Variable, Variables } from "./run/compile-tree.ts";
import type { Frame, Run } from "./run/frame.ts";
import { type CelType, INT, listOf, mapOf, STRING } from "./values/type.ts";
import { CelError, type Result, UNKNOWN, type Value } from "./values/value.ts";

const ATTACHMENT: CelType = {
  kind: "struct",
  name: "attachment",
  fields: new Map([
    ["filename", STRING],
    ["contentType", STRING],
    ["size", INT],
  ]),
};

const NOT_WHOLE = new CelError("a size that is not a whole number");

function factsOf(frame: Frame): Facts {
  return frame.input as Facts;
}

function unknown(frame: Frame, name: FactName): Result {
  const stage = STAGE_OF[name];
  frame.needs = frame.needs === null ? stage : earlierStage(frame.needs, stage);
  return UNKNOWN;
}

const readBody: Run = Object.assign(
  (frame: Frame): Result => factsOf(frame).body ?? unknown(frame, "body"),
  {
    asGiven(frame: Frame): Result {
      // The engine's view of a message has this text; other facts do not.
      const { searchedBody } = frame.input as { readonly searchedBody?: string };
      return searchedBody ?? readBody(frame);
    },
  },
);

function readSize(frame: Frame): Result {
  const { size } = factsOf(frame);
  if (size === undefined) return unknown(frame, "size");
  return Number.isSafeInteger(size) ? size : NOT_WHOLE;
}

function readAttachments(frame: Frame): Result {
  const { attachments } = factsOf(frame);
  if (attachments === undefined) return unknown(frame, "attachments");
  for (const { size } of attachments) if (!Number.isSafeInteger(size)) return NOT_WHOLE;
  return attachments as unknown as readonly Value[];
}

function variable(name: FactName, type: CelType, read: Run): [string, Variable] {
  return [name, { type, stage: STAGE_OF[name], read }];
}

/** Each reader is written out, because rules read these most often. */
// ASSUMPTION(cel-variables): beside sender, recipient, subject and body, expressions see headers, attachments and size
export const MAIL_VARIABLES: Variables = new Map([
  variable("sender", STRING, (frame) => factsOf(frame).sender ?? unknown(frame, "sender")),
  variable("recipient", STRING, (frame) => factsOf(frame).recipient ?? unknown(frame, "recipient")),
  variable("subject", STRING, (frame) => factsOf(frame).subject ?? unknown(frame, "subject")),
  variable("body", STRING, readBody),
  variable(
    "headers",
    mapOf(STRING, listOf(STRING)),
    (frame) => factsOf(frame).headers ?? unknown(frame, "headers"),
  ),
  variable("attachments", listOf(ATTACHMENT), readAttachments),
  variable("size", INT, readSize),
]);
