/** How a test or a developer controls a simulator, in process; `/_sim/` offers the same over HTTP. */
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import type { RecordType, ZoneEntry } from "../model/domains/dns-zone.ts";
import type { World } from "../model/seed/world.ts";
import {
  addFault,
  clearFaults,
  type FaultRow,
  listFaults,
  removeFault,
} from "../outbound/faults.ts";
import { type DryRun, type DryRunQuestion, dryRun } from "./dry-run.ts";
import type { WatchedEvent } from "./event-feed.ts";
import {
  type ArrivedMessage,
  deleteMessages,
  findMessages,
  getMessage,
  MESSAGE_FILTERS,
  type MessageFilter,
  type MessageSummary,
  summaryOf,
  wholeOf,
} from "./inbox/inbox.ts";
import { waitForMessage } from "./inbox/inbox-wait.ts";
import type { Parts } from "./parts.ts";
import type { KeptRequest } from "./request-log.ts";
import { seedSnapshot } from "./seed-snapshot.ts";
import {
  restoreSnapshot,
  resume,
  type SimulatorSnapshot,
  type SnapshotSource,
  sourceOf,
  startQueue,
  takeSnapshot,
} from "./snapshot.ts";
import { type SpooledSnapshot, spoolSnapshot } from "./snapshot-stream.ts";

/** Only `match`, a destination in which each `*` matches any text, is required. */
export type FaultInput = Pick<FaultRow, "match"> &
  Partial<Pick<FaultRow, "stage" | "code" | "delayMs" | "times" | "probability" | "seed">>;

/** How a test controls a simulator. `/_sim/` offers the same over HTTP. */
export interface Control {
  /** Goes back to the first world, time and ids, or to those of the last `seed`. */
  reset(): Promise<void>;
  /** Starts again with another world. Throws, with paths, if the world is invalid, and then changes nothing. */
  seed(world: World): Promise<void>;
  snapshot(): Promise<SimulatorSnapshot>;
  restore(snapshot: SimulatorSnapshot): Promise<void>;
  readonly faults: {
    /** If several match a destination, the one added first applies. */
    add(fault: FaultInput): Promise<FaultRow>;
    list(): Promise<readonly FaultRow[]>;
    /** Throws 404 if there is no such fault. */
    remove(id: string): Promise<void>;
    /** Resolves to the number of faults removed. */
    clear(): Promise<number>;
  };
  readonly dns: {
    /** Sets answers in place of the expected ones; without values, there is no such record. */
    set(entry: ZoneEntry): void;
    /** Goes back to the expected answer; returns whether another one was set. */
    unset(type: RecordType, name: string): boolean;
    list(): readonly ZoneEntry[];
  };
  /** What mailboxes and webhooks received, the earliest first, without bodies; at most `LIMITS.receivedShownMax`. */
  messages(filter?: MessageFilter): Promise<readonly MessageSummary[]>;
  /** A message with its text and octets; throws 404 if there is no such message. */
  message(id: string): Promise<ArrivedMessage>;
  /** Deletes the messages that match, by default all. Resolves to their number. */
  deleteMessages(filter?: MessageFilter): Promise<number>;
  /** Waits for the first message that matches; rejects when `timeoutMs` of real time (default 5,000) have passed. */
  waitForMessage(
    filter?: MessageFilter,
    options?: { readonly timeoutMs?: number },
  ): Promise<ArrivedMessage>;
  /** Where a message would go; changes nothing. */
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

/** The control of a simulator, and what only its HTTP side needs. */
export interface ControlRoom {
  readonly control: Control;
  /** Like `control.restore`, with rows in pages. */
  restoreFrom(source: SnapshotSource): Promise<void>;
  /** Like `control.snapshot`, with rows in a file. */
  spoolSnapshot(): Promise<SpooledSnapshot>;
}

/** Seeds a `new` state with the world. A `kept` state continues as it is; so does a `shared` one, with its own queue. */
export async function createControl(
  parts: Parts,
  world: World,
  state: "new" | "kept" | "shared",
): Promise<ControlRoom> {
  const { service, zone, feed, requests } = parts;
  let beginning = await seedSnapshot(parts, world);
  let turn: Promise<unknown> = Promise.resolve();

  /** One replacement of the state at a time. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  const begin = (): Promise<void> =>
    restoreSnapshot(parts, sourceOf({ ...beginning, clock: parts.start.clock() }));
  if (state === "new") await begin();
  else if (state === "kept") await resume(parts);
  else await startQueue(parts);

  const restoreFrom = (source: SnapshotSource): Promise<void> =>
    inTurn(() => restoreSnapshot(parts, source));
  const control: Control = {
    reset: () => inTurn(begin),
    seed: (given) =>
      inTurn(async () => {
        beginning = await seedSnapshot(parts, given);
        await begin();
      }),
    snapshot: () => inTurn(() => takeSnapshot(parts)),
    restore: (snapshot) => restoreFrom(sourceOf(snapshot)),
    faults: {
      add: (fault) => addFault(service, fault),
      list: () => listFaults(service),
      remove: (id) => removeFault(service, id),
      clear: () => clearFaults(service),
    },
    dns: { set: zone.set, unset: zone.unset, list: zone.entries },
    async messages(filter = {}) {
      assertOptions(filter, MESSAGE_FILTERS);
      const limit = LIMITS.receivedShownMax;
      return (await findMessages(service.store, filter, { limit })).map(summaryOf);
    },
    message: async (id) => wholeOf(service.store, await getMessage(service.store, id)),
    async deleteMessages(filter = {}) {
      assertOptions(filter, MESSAGE_FILTERS);
      const rows = await findMessages(service.store, filter, { limit: Number.MAX_SAFE_INTEGER });
      const ids = rows.map(({ id }) => id);
      return deleteMessages(service, ids);
    },
    async waitForMessage(filter = {}, options = {}) {
      assertOptions(options, ["timeoutMs"]);
      const { timeoutMs = WAIT_MS } = options;
      const found = await waitForMessage(service.store, feed, filter, { timeoutMs });
      if (found !== null) return wholeOf(service.store, found);
      throw new Error(`no message ${JSON.stringify(filter)} arrived within ${timeoutMs} ms`);
    },
    dryRun: (question) => dryRun(service, question),
    events: ({ after = feed.lastId, signal }) => feed.after(after, signal),
    requests: () => requests.last(LIMITS.requestsKept),
  };
  return { control, restoreFrom, spoolSnapshot: () => inTurn(() => spoolSnapshot(parts)) };
}
