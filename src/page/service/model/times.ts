/** Times and sizes in words; the service's times are UTC, and are shown so. */
const DAY_MS = 24 * 3_600_000;

/** `2026-01-01 09:30:02`. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

/** `09:30` of the same day as `nowMs`, else the day. */
export function shortTime(ms: number, nowMs: number): string {
  const [day, time] = timeOf(ms).split(" ") as [string, string];
  return Math.floor(ms / DAY_MS) === Math.floor(nowMs / DAY_MS) ? time.slice(0, 5) : day;
}

const UNITS = [
  { ms: DAY_MS, name: "day" },
  { ms: 3_600_000, name: "hour" },
  { ms: 60_000, name: "minute" },
  { ms: 1_000, name: "second" },
] as const;

/** `8 minutes`, in the largest unit that fits; less than a second is `now`. */
export function spanWords(ms: number): string {
  const unit = UNITS.find((each) => ms >= each.ms);
  if (unit === undefined) return "now";
  const count = Math.round(ms / unit.ms);
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}

export function octets(bytes: number): string {
  if (bytes < 10_000) return `${bytes} octets`;
  return bytes < 10_000_000
    ? `${Math.round(bytes / 1_000)} KB`
    : `${Math.round(bytes / 1_000_000)} MB`;
}
