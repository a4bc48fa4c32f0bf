/** What differs between two configurations of a domain, each difference in its own words. */

import type { Delta } from "../rehearse/config-delta.ts";
import type { Decider } from "../rehearse/outcome.ts";
import { cut } from "./excerpt.ts";

const SOURCE_UNITS = 120;

function shown(text: unknown): string {
  return cut(String(text), SOURCE_UNITS);
}

function ofDomain({ field, from, to }: Delta): string {
  if (field === "routing_engine")
    return `the domain routes by ${to ?? "nothing"} instead of ${from ?? "nothing"}`;
  if (to === null) return `there is no fallback address any more (it was ${from})`;
  return from === null
    ? `the fallback address is new: ${to}`
    : `the fallback address is ${to} instead of ${from}`;
}

function scopes(list: unknown): string {
  return (list as readonly string[]).join(", ");
}

function rankOf(values: unknown): string {
  const { rank } = (values ?? {}) as { rank?: number };
  return rank === undefined ? "" : ` (rank ${rank})`;
}

/** One line. */
export function describeDelta(delta: Delta): string {
  const { of, id, field, from, to } = delta;
  if (of === "domain") return ofDomain(delta);
  const name = `${of} ${id}`;
  switch (field) {
    case "added":
      return `${name} is new${rankOf(to)}`;
    case "removed":
      return `${name} is gone${rankOf(from)}`;
    case "replaced":
      return `${name} is of another type`;
    case "rank":
      return `${name} moved from rank ${from} to rank ${to}`;
    case "active":
      return `${name} was switched ${to === true ? "on" : "off"}`;
    case "regex":
      return `the pattern of ${name} was /${shown(from)}/ and is /${shown(to)}/`;
    case "scopes":
      return `${name} searches ${scopes(to)} instead of ${scopes(from)}`;
    case "expression":
      return `the expression of ${name} was \`${shown(from)}\` and is \`${shown(to)}\``;
    case "forward":
      return `${name} forwards to ${shown(to)} instead of ${shown(from)}`;
    default:
      return `${field} of ${name} was \`${shown(from)}\` and is \`${shown(to)}\``;
  }
}

/** `rule invoices`, `the fallback address`. */
export function describeDecider(decider: Decider): string {
  switch (decider.kind) {
    case "rule":
    case "alias":
      return `${decider.kind} ${decider.id}`;
    case "fallback":
      return "the fallback address";
    case "no-match":
      return "no match";
    case "routing-disabled":
      return "routing disabled";
  }
}
