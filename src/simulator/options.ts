/** The options of a simulator: checks them and fills in defaults. */

import { LIMITS } from "../base/limits.ts";
import { assertOptions } from "../base/options.ts";
import { isDomainName } from "../engine/facts/address.ts";
import type { RuleType } from "../engine/routing/rules/rule-type.ts";
import { KEEP } from "./model/kept.ts";
import { DEFAULT_WORLD } from "./model/seed/seed-world.ts";
import type { World } from "./model/seed/world.ts";
import type { Keep } from "./model/service.ts";
import type { Journal } from "./operations/journal.ts";
import { derivedSecret } from "./secrets.ts";
import type { StorePlace } from "./store/sql/open-sql-store.ts";

/** A plan of the service. */
export type PlanName = "free" | "premium";

/** In memory, in the files of a directory (PGlite), or on a PostgreSQL server. */
export type StoreOption = { readonly kind: "memory" } | StorePlace;

/** Host names to which a domain's DNS records point. */
export interface Hostnames {
  /** Hosts of the MX records, the most preferred first. The first is also the service's own name in SMTP and logs. */
  readonly mx?: readonly string[] | undefined;
  /** The domain of the targets of DKIM records. */
  readonly dkim?: string | undefined;
  /** The domain that SPF records include. */
  readonly spf?: string | undefined;
}

/** Options of `createSimulator`. An unknown option is a `TypeError`. */
export interface SimulatorOptions {
  /** The initial state, also after a reset; default: an account without domains. */
  readonly world?: World | undefined;
  /** Plan of the account if the world does not set one; default `"premium"`. */
  readonly plan?: PlanName | undefined;
  /** Determines all ids and secrets; default `"mailflow"`. */
  readonly seed?: string | number | undefined;
  /** Default `"frozen"`: time passes when the clock is set or advanced. */
  readonly clock?: "frozen" | "running" | undefined;
  /** Initial time in milliseconds since the epoch; default: 2026-01-01 for a frozen clock, real time for a running one. */
  readonly nowMs?: number | undefined;
  /** Password of the API's Basic credentials; default: derived from the seed. */
  readonly apiKey?: string | undefined;
  /** Names under which the service is known; default: those of `mailflow.example`. */
  readonly hostnames?: Hostnames | undefined;
  /** How much mail and log is kept; default: about 300 MB, and in a durable store the log for as long as the plan says. */
  readonly keep?: Partial<Keep> | undefined;
  /** What the API does with unknown fields and parameters; default `"ignored"`. */
  readonly unknownFields?: "ignored" | "refused" | undefined;
  /** Where domains are verified: the simulated zone (default), or the DNS of this system. */
  readonly dns?: "zone" | "system" | undefined;
  /** Webhooks are only recorded (default), or really called: at public addresses, or at any. */
  readonly webhooks?: "simulated" | "public" | "any" | undefined;
  /** SMTP server to which all mail for mailboxes is sent; default: mailboxes are simulated. */
  readonly relay?: { readonly host: string; readonly port: number } | undefined;
  /**
   * Where the state is kept; default: in memory, gone with the simulator. An existing state is used as it is: `world` and
   * `seed` are then ignored, and `apiKey` replaces the earlier key.
   */
  readonly store?: StoreOption | undefined;
  /** The host's own rule types, besides `alias`, `regex` and `cel`; made with `ruleType`. */
  readonly ruleTypes?: readonly RuleType[] | undefined;
  /** Receives every event, request and failure; default: none. */
  readonly journal?: Journal | undefined;
  /** Receives defects of the simulator itself; default: a warning of the process. */
  readonly onDefect?: ((defect: unknown) => void) | undefined;
}

export interface Settings {
  readonly world: World;
  readonly seed: string;
  readonly clock: "frozen" | "running";
  /** `undefined` means real time. */
  readonly nowMs: number | undefined;
  readonly apiKey: string;
  readonly hostnames: Hostnames & { readonly mx: readonly string[] };
  readonly apiKeyFrom: "user" | "seed";
  readonly keep: Keep;
  readonly unknownFields: "ignored" | "refused";
  readonly dns: "zone" | "system";
  readonly webhooks: "simulated" | "public" | "any";
  readonly relay: { readonly host: string; readonly port: number } | undefined;
  readonly store: StoreOption;
  readonly journal: Journal | undefined;
  readonly onDefect: (defect: unknown) => void;
  readonly ruleTypes: readonly RuleType[] | undefined;
}

/** The first of a list of choices is the default. */
const CHOICES = {
  plan: ["premium", "free"],
  clock: ["frozen", "running"],
  unknownFields: ["ignored", "refused"],
  dns: ["zone", "system"],
  webhooks: ["simulated", "public", "any"],
} as const;
const OTHERS = [
  "world",
  "seed",
  "nowMs",
  "apiKey",
  "hostnames",
  "keep",
  "relay",
  "store",
  "journal",
  "onDefect",
  "ruleTypes",
] as const;

const MX_HOSTS = ["mx1.mailflow.example", "mx2.mailflow.example"] as const;

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

function readHostnames(hostnames: Hostnames = {}): Settings["hostnames"] {
  const wanted = "`{ mx, dkim, spf }` of host names, each of them optional";
  assertType("hostnames", typeof hostnames === "object" && hostnames !== null, wanted);
  assertOptions(hostnames, ["mx", "dkim", "spf"]);
  const { mx = MX_HOSTS, dkim, spf } = hostnames;
  const given = [mx, dkim ?? [], spf ?? []].flat();
  const areNames = given.every((name) => typeof name === "string" && isDomainName(name));
  assertType("hostnames", Array.isArray(mx) && mx.length > 0 && areNames, wanted);
  return { mx, dkim, spf };
}

function readStore(store: StoreOption = { kind: "memory" }): StoreOption {
  const wanted =
    '`{ kind: "memory" }`, `{ kind: "pglite", directory }` or `{ kind: "postgres", url }`';
  assertType("store", typeof store === "object" && store !== null, wanted);
  const { kind } = store;
  assertType("store", kind === "memory" || kind === "pglite" || kind === "postgres", wanted);
  assertOptions(store, ["kind", "directory", "url", "namespace"]);
  assertType("store", kind !== "postgres" || typeof store.url === "string", wanted);
  return store;
}

/** A durable store keeps its log for as long as the plan says. */
function readKeep(keep: Partial<Keep> = {}, store: StoreOption): Keep {
  const wanted = "`{ messages, bytes, logs }` of whole numbers from 1, each of them optional";
  assertType("keep", typeof keep === "object" && keep !== null, wanted);
  assertOptions(keep, ["messages", "bytes", "logs"]);
  const logs = store.kind === "memory" ? KEEP.logs : Number.MAX_SAFE_INTEGER;
  const given = { ...KEEP, logs, ...keep };
  const areCounts = Object.values(given).every((each) => Number.isSafeInteger(each) && each > 0);
  assertType("keep", areCounts, wanted);
  return given;
}

function warn(defect: unknown): void {
  process.emitWarning(defect instanceof Error ? defect : new Error(String(defect)));
}

/** Throws a `TypeError` for unknown or invalid options. The world is checked later, when it is seeded. */
export function readOptions(options: SimulatorOptions): Settings {
  assertOptions(options, [...Object.keys(CHOICES), ...OTHERS]);
  const { world = DEFAULT_WORLD, seed = "mailflow", nowMs, onDefect = warn } = options;
  const isSeed = typeof seed === "string" || Number.isSafeInteger(seed);
  assertType("seed", isSeed, "a text or a whole number");
  const isTime =
    nowMs === undefined || (Number.isInteger(nowMs) && Math.abs(nowMs) <= LIMITS.clockMsMax);
  assertType("nowMs", isTime, "whole milliseconds since the epoch");
  const isWorld = typeof world === "object" && world !== null && !Array.isArray(world);
  assertType("world", isWorld, "an object");
  assertType("onDefect", typeof onDefect === "function", "a function");
  const apiKey = options.apiKey ?? derivedSecret(String(seed), "api key");
  // What Basic credentials can carry in either of their forms.
  assertType("apiKey", /^[!-~]{1,256}$/.test(apiKey), "1 to 256 printable ASCII characters");
  const clock = choose(options, "clock");
  const store = readStore(options.store);
  return {
    world: { ...world, plan: { kind: choose(options, "plan"), ...world.plan } },
    seed: String(seed),
    clock,
    nowMs: nowMs ?? (clock === "frozen" ? START_MS : undefined),
    apiKey,
    hostnames: readHostnames(options.hostnames),
    apiKeyFrom: options.apiKey === undefined ? "seed" : "user",
    keep: readKeep(options.keep, store),
    unknownFields: choose(options, "unknownFields"),
    dns: choose(options, "dns"),
    webhooks: choose(options, "webhooks"),
    relay: readRelay(options.relay),
    store,
    journal: options.journal,
    onDefect,
    ruleTypes: options.ruleTypes,
  };
}
