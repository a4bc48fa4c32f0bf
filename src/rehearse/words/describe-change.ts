/** Describes changes to a message or a rule as instructions. */

import type { RuleChange } from "../rules/rule-tools.ts";
import type { NewRule } from "../why/edit-rule.ts";
import type { MessageChange } from "../why/message-change.ts";
import { count, number } from "./count.ts";
import { cut, cutSource, quoted } from "./excerpt.ts";

/** Code units to show of a rule that people may copy. */
const NEW_RULE_UNITS = 600;

function onText(
  change: Extract<MessageChange, { fact: "recipient" | "sender" | "subject" | "body" }>,
): string {
  const { fact, op, text } = change;
  switch (op) {
    case "set":
      if (fact === "recipient") return `send it to ${text}`;
      if (fact === "sender") return `send it from ${text}`;
      return `make the ${fact} ${quoted(text)}`;
    case "add":
      return `add ${quoted(text)} to the ${fact}`;
    case "remove":
      return `remove ${quoted(text)} from the ${fact}`;
    case "replace":
      return `replace ${quoted(change.replaced)} with ${quoted(text)} in the ${fact}`;
  }
}

export function describeMessageChange(change: MessageChange): string {
  switch (change.fact) {
    case "headers":
      if (change.op === "remove") return `remove the header field ${change.name}`;
      if (change.op === "set") return `make the header field ${change.name} ${quoted(change.text)}`;
      return `add the header field \`${change.name}: ${cut(change.text)}\``;
    case "attachments": {
      if (change.op === "remove") return "remove the attachments";
      const { filename, contentType, size } = change.attachment;
      return `attach a file \`${filename}\` (${contentType}, ${count(size, "octet")})`;
    }
    case "size":
      return `make its size ${number(change.to)} octets`;
    default:
      return onText(change);
  }
}

/** The new rule as it would be written in a configuration. */
export function describeNewRule({ type, rank, config }: NewRule, before: string): string {
  return `add a rule before ${before}: ${cut(JSON.stringify({ type, rank, config }), NEW_RULE_UNITS)}`;
}

export function describeRuleChange({ field, from, to }: RuleChange): string {
  switch (field) {
    case "active":
      return to === true ? "switch it on" : "switch it off";
    case "rank":
      return `move it from rank ${from} to rank ${to}`;
    case "regex":
      return `change its pattern to /${cutSource(String(to))}/`;
    case "scopes": {
      const added = (to as readonly string[]).filter(
        (scope) => !(from as readonly string[]).includes(scope),
      );
      return `also search the ${added.join(" and the ")}`;
    }
    case "expression":
      return `change its expression to \`${cutSource(String(to))}\``;
    default:
      return `change its ${field} to \`${cutSource(String(to))}\``;
  }
}
