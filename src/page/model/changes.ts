/** What the edits would change in a mailbox: every message is decided twice, in slices that do not block the page. */
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import {
  deciderKey,
  deciderOf,
  type Outcome,
  outcomeOf,
  sameOutcome,
} from "../../rehearse/outcome.ts";
import { factsOf, type Mail } from "./mail.ts";

export interface ChangedMail {
  /** Its place in the mailbox. */
  readonly index: number;
  /** What decided, as `rule id`, `alias id`, or a reason. */
  readonly before: string;
  readonly after: string;
}

export interface Changes {
  readonly decisions: number;
  readonly of: number;
  /** The first `CHANGED_MAX` changes. */
  readonly changed: readonly ChangedMail[];
  readonly changedCount: number;
  /** Delivered today, discarded or rejected with the edits. */
  readonly lost: number;
  readonly hitsBefore: ReadonlyMap<string, number>;
  readonly hitsAfter: ReadonlyMap<string, number>;
  /** Per week, from the first message with a date to the last; empty where fewer than two weeks have mail. */
  readonly weeks: readonly {
    readonly startMs: number;
    readonly count: number;
    readonly changed: number;
  }[];
}

/** Changed messages that are listed. */
export const CHANGED_MAX = 1_000;
/** Weeks of the chart; of longer mailboxes the last ones are shown. */
const WEEKS_MAX = 60;
const WEEK_MS = 7 * 24 * 3_600_000;

function outcomeFor(domain: CompiledDomain, mail: Mail): Outcome {
  const resolution = resolve(domain, factsOf(mail));
  if (resolution.verdict !== "decided") throw new Error("a message with every fact is undecided");
  return outcomeOf(resolution);
}

function weeksOf(mails: readonly Mail[], changed: ReadonlySet<number>): Changes["weeks"] {
  const counts = new Map<number, { count: number; changed: number }>();
  mails.forEach(({ dateMs }, index) => {
    if (dateMs === null) return;
    const week = Math.floor(dateMs / WEEK_MS);
    const entry = counts.get(week) ?? { count: 0, changed: 0 };
    entry.count++;
    if (changed.has(index)) entry.changed++;
    counts.set(week, entry);
  });
  if (counts.size < 2) return [];
  const last = Math.max(...counts.keys());
  const first = Math.max(Math.min(...counts.keys()), last - WEEKS_MAX + 1);
  const empty = { count: 0, changed: 0 };
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    startMs: (first + index) * WEEK_MS,
    ...(counts.get(first + index) ?? empty),
  }));
}

/**
 * Compares two versions of a domain. Yields the result so far after each slice of `sliceMails` messages; the last value is
 * complete.
 * `mails` must not change meanwhile.
 */
export function* compareOn(
  before: CompiledDomain,
  after: CompiledDomain,
  mails: readonly Mail[],
  sliceMails: number = 50,
): Generator<Changes, Changes> {
  const changed: ChangedMail[] = [];
  const changedPlaces = new Set<number>();
  const [hitsBefore, hitsAfter] = [new Map<string, number>(), new Map<string, number>()];
  const add = (hits: Map<string, number>, key: string): void => {
    hits.set(key, (hits.get(key) ?? 0) + 1);
  };
  let lost = 0;
  const soFar = (decisions: number, weeks: Changes["weeks"]): Changes => {
    const changedCount = changedPlaces.size;
    const counts = { decisions, of: mails.length, changedCount, lost };
    return { ...counts, changed, hitsBefore, hitsAfter, weeks };
  };
  for (let index = 0; index < mails.length; index++) {
    const mail = mails[index]!;
    const [old, now] = [outcomeFor(before, mail), outcomeFor(after, mail)];
    const [oldKey, newKey] = [deciderKey(deciderOf(old)), deciderKey(deciderOf(now))];
    add(hitsBefore, oldKey);
    add(hitsAfter, newKey);
    if (!sameOutcome(old, now)) {
      changedPlaces.add(index);
      if (changed.length < CHANGED_MAX) changed.push({ index, before: oldKey, after: newKey });
      if (old.action === "forward" && now.action !== "forward") lost++;
    }
    if ((index + 1) % sliceMails === 0) yield soFar(index + 1, []);
  }
  return soFar(mails.length, weeksOf(mails, changedPlaces));
}
