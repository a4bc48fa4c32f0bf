/** How much of a message is read: the bounds, which a caller may set. */
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";

/** Bounds that reading a message keeps to; what is cut at one is told in `problems`. */
const NAMES = [
  "messageBytesMax",
  "headerBlockBytesMax",
  "headerFieldsMax",
  "headerFieldBytesMax",
  "sendersMax",
  "commentDepthMax",
  "mimeParametersMax",
  "mimePartsMax",
  "mimeDepthMax",
  "textPartsMax",
  "textBytesMax",
  "htmlUnitsMax",
  "factUnitsMax",
] as const;

export type MessageLimits = Readonly<Record<(typeof NAMES)[number], number>>;

export interface ReadOptions {
  /** Bounds other than the usual ones: whole numbers, 1 or more. */
  readonly limits?: Partial<MessageLimits> | undefined;
}

/** The bounds to keep to. Throws a TypeError for options and bounds that are none. */
export function messageLimits(options: ReadOptions | undefined): MessageLimits {
  if (options === undefined) return LIMITS;
  assertOptions(options, ["limits"]);
  const given = options.limits ?? {};
  assertOptions(given, NAMES);
  const limits: Record<string, number> = {};
  for (const name of NAMES) {
    const value: unknown = given[name] ?? LIMITS[name];
    if (!Number.isSafeInteger(value) || (value as number) < 1) {
      throw new TypeError(`\`${name}\` is \`${String(value)}\`: give a whole number, 1 or more`);
    }
    limits[name] = value as number;
  }
  return limits as MessageLimits;
}
