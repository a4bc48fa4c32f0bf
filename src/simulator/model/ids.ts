/** Ids determined by a seed: the same run makes the same ids, and a restored snapshot continues with the next ones. */
import assert from "node:assert";
import { hash } from "node:crypto";
import type { Ids } from "./service.ts";

interface State {
  readonly seed: string;
  readonly counts: readonly (readonly [string, number])[];
}

/** Hex digits of a clock's time in milliseconds, and of a counter. */
const TIME_DIGITS = 14;
const COUNTER_DIGITS = 10;
/** The hex digits of the counter that identify the process, if several share or have shared the state. */
const EPOCH_DIGITS = 4;
/** Counts of one process under one name. */
const COUNTS_PER_EPOCH = 2 ** 24;

function isState(value: unknown): value is State {
  const state = value as Partial<State> | null;
  return (
    typeof state?.seed === "string" &&
    Array.isArray(state.counts) &&
    state.counts.every(
      (entry: unknown) =>
        Array.isArray(entry) && typeof entry[0] === "string" && Number.isSafeInteger(entry[1]),
    )
  );
}

/**
 * `epoch`: a number unique to this process among all with the same state, or 0; ids of different epochs differ.
 */
export function createIds(initialSeed: string, epoch = 0): Ids {
  let seed = initialSeed;
  let counts = new Map<string, number>();
  const processDigits = (epoch % 16 ** EPOCH_DIGITS).toString(16);

  function count(name: string): number {
    const counted = (counts.get(name) ?? 0) + 1;
    counts.set(name, counted);
    return counted;
  }

  const next = (name: string): number => epoch * COUNTS_PER_EPOCH + count(name);

  /** Grows for 16 million ids, far more than are made in the millisecond before it. */
  function counterDigits(): string {
    if (epoch === 0) return count("log").toString(16).padStart(COUNTER_DIGITS, "0");
    const places = COUNTER_DIGITS - EPOCH_DIGITS;
    const counted = (count("log") % 16 ** places).toString(16).padStart(places, "0");
    return processDigits.padStart(EPOCH_DIGITS, "0") + counted;
  }

  return {
    next,
    uuid() {
      const hex = hash("sha256", `${seed} uuid ${next("uuid")}`);
      const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
      const version = `4${hex.slice(13, 16)}`;
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
    logId(nowMs) {
      const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(TIME_DIGITS, "0");
      return time + counterDigits();
    },
    state() {
      const state: State = { seed, counts: [...counts] };
      return JSON.stringify(state);
    },
    restore(text) {
      const state: unknown = JSON.parse(text);
      assert(isState(state), "this is not the state of ids");
      seed = state.seed;
      counts = new Map(state.counts);
    },
  };
}
