/** The variables of a rule, read from the facts of a message. */
import { canonicalAddress } from "../mail/address.ts";
import { earlierStage, type FactName, type Facts, STAGE_OF } from "../mail/facts.ts";
import type { Variable, Variables } from "./compile-tree.ts";
import type { Frame } from "./frame.ts";
import { type CelType, INT, listOf, mapOf, STRING } from "./type.ts";
import { CelError, type Result, UNKNOWN, type Value } from "./value.ts";

const ATTACHMENT: CelType = {
  kind: "struct",
  name: "attachment",
  fields: new Map([
    ["filename", STRING],
    ["contentType", STRING],
    ["size", INT],
  ]),
};

const NOT_WHOLE = new CelError("a size that is no whole number");

function unknown(frame: Frame, name: FactName): Result {
  const stage = STAGE_OF[name];
  frame.needs = frame.needs === null ? stage : earlierStage(frame.needs, stage);
  return UNKNOWN;
}

/** Addresses are compared in their canonical form; the last one is kept, since many rules read the same message. */
function addressVariable(name: "sender" | "recipient"): Variable {
  let given: string | undefined;
  let canonical = "";
  return {
    type: STRING,
    stage: STAGE_OF[name],
    read(frame) {
      const address = (frame.input as Facts)[name];
      if (address === undefined) return unknown(frame, name);
      if (address !== given) {
        given = address;
        canonical = canonicalAddress(address);
      }
      return canonical;
    },
  };
}

function variable(
  name: FactName,
  type: CelType,
  convert: (facts: Facts) => Result | undefined,
): Variable {
  return {
    type,
    stage: STAGE_OF[name],
    read: (frame) => convert(frame.input as Facts) ?? unknown(frame, name),
  };
}

function sizeOf({ size }: Facts): Result | undefined {
  return size === undefined || Number.isSafeInteger(size) ? size : NOT_WHOLE;
}

function attachmentsOf({ attachments }: Facts): Result | undefined {
  if (attachments?.every(({ size }) => Number.isSafeInteger(size)) === false) return NOT_WHOLE;
  return attachments as readonly Value[] | undefined;
}

export const MAIL_VARIABLES: Variables = new Map<FactName, Variable>([
  ["sender", addressVariable("sender")],
  ["recipient", addressVariable("recipient")],
  ["subject", variable("subject", STRING, ({ subject }) => subject)],
  ["body", variable("body", STRING, ({ body }) => body)],
  ["headers", variable("headers", mapOf(STRING, listOf(STRING)), ({ headers }) => headers)],
  ["attachments", variable("attachments", listOf(ATTACHMENT), attachmentsOf)],
  ["size", variable("size", INT, sizeOf)],
]);
