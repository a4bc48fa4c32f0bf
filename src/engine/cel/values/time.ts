/** Timestamps and durations: reading, writing, arithmetic, and the fields of a date (RFC 3339; Go's durations). */
import { LIMITS } from "../../../base/limits.ts";
import { CelError, Duration, Timestamp } from "./value.ts";

const BILLION = 1_000_000_000n;
const SECONDS_MIN = -62_135_596_800;
const SECONDS_MAX = 253_402_300_799;
/** 292 years: durations are 64-bit counts of nanoseconds. */
const DURATION_NANOS_MIN = -(2n ** 63n);
const DURATION_NANOS_MAX = 2n ** 63n - 1n;

const TIMESTAMP_RANGE = new CelError("timestamp out of range: years 1 to 9999 exist");
const DURATION_RANGE = new CelError("duration out of range");

export function timestampOf(seconds: number, nanos: number): Timestamp | CelError {
  if (!(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) return TIMESTAMP_RANGE;
  return new Timestamp(seconds, nanos);
}

export function durationOf(nanos: bigint): Duration | CelError {
  if (nanos > DURATION_NANOS_MAX || nanos < DURATION_NANOS_MIN) return DURATION_RANGE;
  return new Duration(nanos);
}

/** Digits beyond nanoseconds are read, and dropped. */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

export function parseTimestamp(text: string): Timestamp | CelError {
  const match = RFC_3339.exec(text);
  if (match === null) return new CelError("not a timestamp such as `2026-01-31T09:30:00Z`");
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as number[];
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  const exists = date.getUTCMonth() === month! - 1 && date.getUTCDate() === day!;
  if (!exists || hour! > 23 || minute! > 59 || second! > 59) {
    return new CelError("not a date and time that exist");
  }
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * 60;
  const local = date.getTime() / 1000 + hour! * 3600 + minute! * 60 + second!;
  const nanos = Number((match[7] ?? "").padEnd(9, "0"));
  return timestampOf(match[8] === "-" ? local + offset : local - offset, nanos);
}

function fraction(nanos: number): string {
  return nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
}

export function formatTimestamp({ seconds, nanos }: Timestamp): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction(nanos)}Z`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  h: 3600n * BILLION,
  m: 60n * BILLION,
  s: BILLION,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

/** `1h30m`, `-1.5s`. */
export function parseDuration(text: string): Duration | CelError {
  const malformed = new CelError("not a duration such as `1h30m`");
  if (text.length > LIMITS.celDurationUnitsMax) return malformed;
  if (/^[+-]?0$/.test(text)) return new Duration(0n);
  // With `\d+\.?\d*`, each number of two digits would double the ways to read the text.
  if (!/^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return malformed;
  let nanos = 0n;
  for (const [, whole, part, unit] of text.matchAll(/(\d*)\.?(\d*)(ns|us|µs|ms|s|m|h)/g)) {
    const size = UNITS[unit!]!;
    nanos += BigInt(whole || 0) * size;
    nanos += (BigInt(part || 0) * size) / 10n ** BigInt(part!.length);
  }
  return durationOf(text.startsWith("-") ? -nanos : nanos);
}

export function formatDuration({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const text = `${size / BILLION}${fraction(Number(size % BILLION))}s`;
  return nanos < 0n ? `-${text}` : text;
}

function nanosOf({ seconds, nanos }: Timestamp): bigint {
  return BigInt(seconds) * BILLION + BigInt(nanos);
}

export function shiftTimestamp(time: Timestamp, by: Duration): Timestamp | CelError {
  const total = nanosOf(time) + by.nanos;
  const nanos = ((total % BILLION) + BILLION) % BILLION;
  return timestampOf(Number((total - nanos) / BILLION), Number(nanos));
}

export function timeBetween(a: Timestamp, b: Timestamp): Duration | CelError {
  return durationOf(nanosOf(a) - nanosOf(b));
}

const ZONE = /^(?:UTC|([+-]?)([01]\d|2[0-3]):([0-5]\d))$/;
const NO_ZONE = new CelError("time zones are `UTC` or an offset such as `+02:00`");

/** Why a time zone is refused; `null` if it is accepted. */
export function refuseZone(zone: string): string | null {
  if (ZONE.test(zone)) return null;
  return `\`${zone}\` is not a time zone here: write \`UTC\` or an offset such as \`+02:00\``;
}

/**
 * The moment as a date whose UTC fields are those of the zone. Zones are `UTC` or an offset such as `+02:00`:
 * names of places would need the zone tables of the host, which differ from host to host.
 */
export function dateIn(time: Timestamp, zone: string): Date | CelError {
  const match = ZONE.exec(zone);
  if (match === null) return NO_ZONE;
  const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  const seconds = time.seconds + (match[1] === "-" ? -minutes : minutes) * 60;
  return new Date(seconds * 1000);
}
