/** What an alias or a rule takes of the budget of its domain, paid before the work of compiling and planning it is done. */
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Gate } from "../plan/gate.ts";
import { type Fields, ownField } from "./config-fields.ts";

/** Units of work of an entry, and of each code unit of its forward: measured 5 µs and 1 KB, and 0.3 µs. */
const ENTRY_FUEL = 600;
const FORWARD_FUEL = 15;
/** Of a pattern or an expression, and of each of its code units: measured 20 to 30 µs and 4 KB, and 1 to 2.3 µs and 250 octets. */
const SOURCE_FUEL = 1_500;
const SOURCE_UNIT_FUEL = 130;
/** Of each literal by which a rule is found, in each fact: measured 5 to 10 µs, and 0.8 KB. */
const LITERAL_FUEL = 500;

function unitsOf(fields: Fields, name: string, unitsMax: number): number {
  const value = ownField(fields, name);
  return typeof value === "string" ? Math.min(value.length, unitsMax) : 0;
}

/** Of an entry without its source. */
export function entryFuel(fields: Fields): number {
  return ENTRY_FUEL + FORWARD_FUEL * unitsOf(fields, "forward", LIMITS.forwardUnitsMax);
}

/** Of a pattern or an expression in the field `name`. */
export function sourceFuel(fields: Fields, name: string): number {
  // Longer sources are refused unread.
  return SOURCE_FUEL + SOURCE_UNIT_FUEL * unitsOf(fields, name, LIMITS.celUnitsMax);
}

/** Of finding an entry by its gate. */
export function gateFuel(gate: Gate | null): number {
  let literals = 0;
  for (const opening of gate?.openings ?? []) {
    if ("literals" in opening) literals += opening.literals.length;
  }
  return LITERAL_FUEL * literals;
}

/** False, and reported, if the budget of the domain does not cover `fuel`. Then no later entry is looked at. */
export function payEntry(fields: Fields, guard: Guard, fuel: number): boolean {
  if (guard.take(fuel)) return true;
  const used = `the aliases and rules before this one took ${guard.used} of the ${guard.unitsMax} units of work of a domain`;
  const message = `${used}, and this one needs ${fuel}: use fewer or shorter ones, or raise \`domainFuelMax\``;
  fields.report({ code: "domain/too-costly", message, path: fields.path });
  return false;
}
