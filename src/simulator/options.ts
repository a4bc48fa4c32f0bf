/** What a simulator can be told when it is made: closed, checked, and completed with defaults. */
import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import { DEFAULT_WORLD } from "../service/seed-world.ts";
import type { World } from "../service/world.ts";
import { type PlanName, withPlan } from "./plans.ts";
import { derivedSecret } from "./secrets.ts";

export interface SimulatorOptions {
  /** What there is at first, and after a reset; default: an account without domains. */
  readonly world?: World | undefined;
  /** Plan of the account where the world says nothing else; default `"premium"`. */
  readonly plan?: PlanName | undefined;
  /** Determines all ids and secrets; default `"mailflow"`. */
  readonly seed?: string | number | undefined;
  /** Default `"frozen"`: time passes when the clock is set or advanced. */
  readonly clock?: "frozen" | "running" | undefined;
  /** Milliseconds since the epoch at first; default: 2026-01-01 for a frozen clock, real time for a running one. */
  readonly nowMs?: number | undefined;
  /** Password of the API's Basic credentials; default: made of the seed. */
  readonly apiKey?: string | undefined;
  /** What the API does with fields and parameters that no endpoint knows; default `"ignored"`. */
  readonly unknownFields?: "ignored" | "refused" | undefined;
  /** Where domains are verified: the simulated zone (default), or the DNS of this system. */
  readonly dns?: "zone" | "system" | undefined;
  /** Webhooks are only noted (default), or POSTed to for real: public addresses, or any. */
  readonly webhooks?: "simulated" | "public" | "any" | undefined;
  /** SMTP server through which all mailboxes are reached; default: they are simulated. */
  readonly relay?: { readonly host: string; readonly port: number } | undefined;
  /** Told of faults of the simulator itself; default: a warning of the process. */
  readonly onDefect?: ((defect: unknown) => void) | undefined;
}

export interface Settings {
  readonly world: World;
  readonly seed: string;
  readonly clock: "frozen" | "running";
  /** `undefined`: real time. */
  readonly nowMs: number | undefined;
  readonly apiKey: string;
  readonly unknownFields: "ignored" | "refused";
  readonly dns: "zone" | "system";
  readonly webhooks: "simulated" | "public" | "any";
  readonly relay: { readonly host: string; readonly port: number } | undefined;
  readonly onDefect: (defect: unknown) => void;
}

/** The first of a list of choices is the default. */
const CHOICES = {
  plan: ["premium", "free"],
  clock: ["frozen", "running"],
  unknownFields: ["ignored", "refused"],
  dns: ["zone", "system"],
  webhooks: ["simulated", "public", "any"],
} as const;
const OTHERS = ["world", "seed", "nowMs", "apiKey", "relay", "onDefect"] as const;

const START_MS = Date.UTC(2026, 0, 1);

function choose<Name extends keyof typeof CHOICES>(
  options: SimulatorOptions,
  name: Name,
): (typeof CHOICES)[Name][number] {
  const choices: readonly string[] = CHOICES[name];
  const given: unknown = options[name] ?? choices[0];
  if (choices.includes(given as string)) return given as (typeof CHOICES)[Name][number];
  const list = choices.map((choice) => `\`${choice}\``).join(" or ");
  throw new TypeError(`\`${name}\` is \`${String(given)}\`: give ${list}`);
}

function assertType(name: string, isRight: boolean, wanted: string): void {
  if (!isRight) throw new TypeError(`\`${name}\` is wrong: give ${wanted}`);
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
}

function readRelay(relay: SimulatorOptions["relay"]): SimulatorOptions["relay"] {
  if (relay === undefined) return undefined;
  const wanted = "`{ host, port }` of an SMTP server";
  assertType("relay", typeof relay === "object" && relay !== null, wanted);
  assertOptions(relay, ["host", "port"]);
  assertType("relay", typeof relay.host === "string" && isPort(relay.port), wanted);
  return relay;
}

function warn(defect: unknown): void {
  process.emitWarning(defect instanceof Error ? defect : new Error(String(defect)));
}

/** Throws a `TypeError` for what is unknown or wrong; the world is read when it is seeded. */
export function readOptions(options: SimulatorOptions): Settings {
  assertOptions(options, [...Object.keys(CHOICES), ...OTHERS]);
  const { world = DEFAULT_WORLD, seed = "mailflow", nowMs, onDefect = warn } = options;
  const isSeed = typeof seed === "string" || Number.isSafeInteger(seed);
  assertType("seed", isSeed, "a text or a whole number");
  const isTime = nowMs === undefined || Math.abs(nowMs) <= LIMITS.clockMsMax;
  assertType("nowMs", isTime, "milliseconds since the epoch");
  assertType("world", typeof world === "object" && world !== null, "an object");
  assertType("onDefect", typeof onDefect === "function", "a function");
  const apiKey = options.apiKey ?? derivedSecret(String(seed), "api key");
  // What Basic credentials can carry in either of their forms.
  assertType("apiKey", /^[!-~]{1,256}$/.test(apiKey), "1 to 256 printable ASCII characters");
  const clock = choose(options, "clock");
  return {
    world: withPlan(world, choose(options, "plan")),
    seed: String(seed),
    clock,
    nowMs: nowMs ?? (clock === "frozen" ? START_MS : undefined),
    apiKey,
    unknownFields: choose(options, "unknownFields"),
    dns: choose(options, "dns"),
    webhooks: choose(options, "webhooks"),
    relay: readRelay(options.relay),
    onDefect,
  };
}
