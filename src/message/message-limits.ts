/** The bounds on how much of a message is read, which a caller may set. */
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";

/** Bounds that reading a message keeps to; `problems` lists everything that was cut. */
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
  "partHeadsBytesMax",
  "textPartsMax",
  "textBytesMax",
  "htmlUnitsMax",
  "factUnitsMax",
] as const;

/** The bounds on reading; each has its default in `LIMITS`. */
export type MessageLimits = Readonly<Record<(typeof NAMES)[number], number>>;

const BODY_SOURCES = ["displayed", "plain", "html"] as const;

/** Which of a message's texts make its body. */
export type BodySource = (typeof BODY_SOURCES)[number];

/** Options of every function that reads a message. */
export interface ReadOptions {
  /**
   * `displayed`, the default: every text that a mail client may show: the plain text, a blank line, then that of the
   * HTML. `plain`: the plain text; that of the HTML only if the plain text is blank. `html`: the reverse.
   */
  readonly bodySource?: BodySource | undefined;
  /** Bounds to replace the defaults: whole numbers, 1 or more. */
  readonly limits?: Partial<MessageLimits> | undefined;
}

/** The bounds to keep to. Throws a TypeError for invalid options and bounds. */
export function messageLimits(options: ReadOptions | undefined): MessageLimits {
  if (options === undefined) return LIMITS;
  assertOptions(options, ["limits", "bodySource"]);
  const given = options.limits;
  if (given === undefined) return LIMITS;
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

/** The octets of a whole message. Throws a RangeError if there are more than `messageBytesMax`. */
export function octetsWithin(message: Uint8Array, { messageBytesMax }: MessageLimits): Uint8Array {
  if (message.length <= messageBytesMax) return message;
  throw new RangeError(`the message is longer than ${messageBytesMax} octets`);
}

/** Which texts make the body. Throws a TypeError for any other name. */
export function bodySourceOf(options: ReadOptions | undefined): BodySource {
  const source: unknown = options?.bodySource ?? "displayed";
  const found = BODY_SOURCES.find((each) => each === source);
  if (found !== undefined) return found;
  const names = BODY_SOURCES.map((each) => `\`${each}\``).join(", ");
  throw new TypeError(`\`bodySource\` is \`${String(source)}\`: give one of ${names}`);
}
