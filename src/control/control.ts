/** What a test or a developer does to a simulator beside using it, in process; `/_sim/` offers the same over HTTP. */
import { LIMITS } from "../base/limits.ts";
import {
  addFault,
  clearFaults,
  type FaultRow,
  listFaults,
  removeFault,
} from "../outbound/faults.ts";
import type { RecordType, ZoneEntry } from "../service/dns-zone.ts";
import type { World } from "../service/world.ts";
import { type DryRun, type DryRunQuestion, dryRun } from "./dry-run.ts";
import type { WatchedEvent } from "./event-feed.ts";
import { type ArrivedMessage, listMessages, type MessageFilter, waitForMessage } from "./inbox.ts";
import type { Parts } from "./parts.ts";
import type { KeptRequest } from "./request-log.ts";
import { seedSnapshot } from "./seed-snapshot.ts";
import { restoreSnapshot, type SimulatorSnapshot, takeSnapshot } from "./snapshot.ts";

/** Only `match`, a destination in which each `*` stands for anything, must be given. */
export type FaultInput = Pick<FaultRow, "match"> &
  Partial<Pick<FaultRow, "stage" | "code" | "delayMs" | "times" | "probability" | "seed">>;

export interface Control {
  /** Back to the world, the time and the ids of the beginning, or of the last `seed`. */
  reset(): Promise<void>;
  /** Begins anew with another world; one that is wrong throws, with paths, and changes nothing. */
  seed(world: World): Promise<void>;
  snapshot(): Promise<SimulatorSnapshot>;
  restore(snapshot: SimulatorSnapshot): Promise<void>;
  readonly faults: {
    /** Of several that match a destination, the one added first strikes. */
    add(fault: FaultInput): Promise<FaultRow>;
    list(): Promise<readonly FaultRow[]>;
    /** Throws 404 where there is none. */
    remove(id: string): Promise<void>;
    /** How many there were. */
    clear(): Promise<number>;
  };
  readonly dns: {
    /** Answers given instead of the expected ones; no values: there is no such record. */
    set(entry: ZoneEntry): void;
    /** Back to the expected answer; whether there was another. */
    unset(type: RecordType, name: string): boolean;
    list(): readonly ZoneEntry[];
  };
  /** What mailboxes and webhooks received, the earliest first. */
  messages(filter?: MessageFilter): Promise<readonly ArrivedMessage[]>;
  /** The first message that fits, once it is there; rejects when `timeoutMs` of real time (default 5,000) have passed. */
  waitForMessage(
    filter?: MessageFilter,
    options?: { readonly timeoutMs?: number },
  ): Promise<ArrivedMessage>;
  /** What would become of a message; changes nothing. */
  dryRun(question: DryRunQuestion): Promise<DryRun>;
  /** Events after that one (default: from now on), until `signal` aborts. */
  events(options: {
    readonly after?: number;
    readonly signal: AbortSignal;
  }): AsyncIterable<WatchedEvent>;
  /** The last requests to the API with their answers, the earliest first. */
  requests(): readonly KeptRequest[];
}

const WAIT_MS = 5_000;

/** Brings the world of the beginning into the parts. */
export async function createControl(parts: Parts, world: World): Promise<Control> {
  const { service, zone, feed, requests } = parts;
  const outside = service;
  let beginning = await seedSnapshot(parts, world);
  let turn: Promise<unknown> = Promise.resolve();

  /** One replacement of the state at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  const begin = (): Promise<void> =>
    restoreSnapshot(parts, { ...beginning, clock: parts.start.clock() });
  await begin();

  return {
    reset: () => inTurn(begin),
    seed: (given) =>
      inTurn(async () => {
        beginning = await seedSnapshot(parts, given);
        await begin();
      }),
    snapshot: () => inTurn(() => takeSnapshot(parts)),
    restore: (snapshot) => inTurn(() => restoreSnapshot(parts, snapshot)),
    faults: {
      add: (fault) => addFault(outside, fault),
      list: () => listFaults(outside),
      remove: (id) => removeFault(outside, id),
      clear: () => clearFaults(outside),
    },
    dns: { set: zone.set, unset: zone.unset, list: zone.entries },
    messages: (filter = {}) => listMessages(service.store, filter, LIMITS.receivedShownMax),
    async waitForMessage(filter = {}, { timeoutMs = WAIT_MS } = {}) {
      const found = await waitForMessage(service.store, feed, filter, { timeoutMs });
      if (found !== null) return found;
      throw new Error(`no message ${JSON.stringify(filter)} arrived within ${timeoutMs} ms`);
    },
    dryRun: (question) => dryRun(service, question),
    events: ({ after = feed.lastId, signal }) => feed.after(after, signal),
    requests: () => requests.last(LIMITS.requestsKept),
  };
}
