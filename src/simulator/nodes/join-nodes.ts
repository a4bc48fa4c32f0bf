/** What a process shares with the others on its PostgreSQL: the queue, the events, the rate limits, and the work of those that end. */
import { LIMITS } from "../../base/limits.ts";
import type { RateLimits } from "../api/read/rate-limits.ts";
import type { EventFeed } from "../control/event-feed.ts";
import type { Service, ServiceEvent, SignInFailures } from "../model/service.ts";
import { type BossQueue, createBossQueue, type TaskDatabase } from "../queue/boss-queue.ts";
import { type MessageReader, readMessages } from "../store/sql/message-log.ts";
import type { OpenedStore } from "../store/sql/open-sql-store.ts";
import { StoreUnavailableError } from "../store/store.ts";
import { createNodeRegistry, type NodeRegistry } from "./node-registry.ts";
import { createSharedRates } from "./shared-rates.ts";
import { createSharedSignIns } from "./shared-sign-ins.ts";
import { startTakeOver } from "./take-over.ts";

export interface NodeSettings {
  readonly epoch: number;
  readonly nowMs: () => number;
  readonly onDefect: (defect: unknown) => void;
}

export interface JoinedNodes {
  readonly registry: NodeRegistry;
  readonly queue: BossQueue;
  readonly rateLimits: RateLimits;
  readonly signIns: SignInFailures;
  /** Tells the watchers of every node; its events come back to this one as they do to the others. */
  readonly feed: EventFeed;
  /** Begins to follow the others; `onRestored`: one has replaced the state. */
  follow(service: Service, onRestored: () => void): Promise<void>;
  /** Hands back what is left, and ends. */
  leave(): Promise<void>;
}

type Told =
  | { readonly kind: "event"; readonly event: ServiceEvent }
  | { readonly kind: "restored"; readonly atMs: number };

/** Asks again while the database is away, for as long as `LIMITS.storePatienceMs`. */
async function patiently<Result>(
  work: () => Promise<Result>,
  isOver: () => boolean,
): Promise<Result> {
  const untilMs = performance.now() + LIMITS.storePatienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isLost = error instanceof StoreUnavailableError;
      if (!isLost || isOver() || performance.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, LIMITS.storeListenAgainMs));
    }
  }
}

/** `feed` is of this process; messages sent through the result go to all processes. */
function sharedFeed(feed: EventFeed, tell: (told: Told) => void): EventFeed {
  return {
    notify: (event) => tell({ kind: "event", event }),
    restored: (atMs) => tell({ kind: "restored", atMs }),
    skipTo: (id) => feed.skipTo(id),
    get lastId() {
      return feed.lastId;
    },
    after: (lastId, signal) => feed.after(lastId, signal),
    close: () => feed.close(),
  };
}

export async function joinNodes(
  { database, namespace, store }: OpenedStore,
  own: EventFeed,
  { epoch, nowMs, onDefect }: NodeSettings,
): Promise<JoinedNodes> {
  let state: "joined" | "left" = "joined";
  const isOver = (): boolean => state === "left";
  const tasks: TaskDatabase = {
    run: (sql, parameters) => patiently(() => database.run({ sql, parameters }), isOver),
    listen: async (channel, onMessage) => database.listen?.(channel, onMessage, onMessage),
  };
  const queue = await createBossQueue({
    database: tasks,
    schema: `${namespace}_queue`,
    epoch,
    nowMs,
    onFailure: onDefect,
    onError: (error) => {
      if (!isOver()) onDefect(error);
    },
  });
  const registry = createNodeRegistry(database, namespace, epoch);
  await registry.beat();
  let reader: MessageReader | undefined;
  let takeOver: { stop(): Promise<void> } | undefined;

  /** Within the caller's transaction, if there is one, so that only committed changes are sent. */
  function tell(told: Told): void {
    patiently(() => store.tell(JSON.stringify(told)), isOver).catch(onDefect);
  }

  function hear(service: Service, onRestored: () => void, seq: number, told: Told): void {
    if (own.lastId < seq - 1) own.skipTo(seq - 1);
    if (told.kind === "restored") {
      service.compiled.clear();
      onRestored();
      own.restored(told.atMs);
      return;
    }
    const { event } = told;
    if (event.kind === "changed") service.compiled.delete(event.domain);
    own.notify(event);
  }

  return {
    registry,
    queue,
    rateLimits: createSharedRates(database, namespace, nowMs),
    signIns: createSharedSignIns(database, namespace, nowMs),
    feed: sharedFeed(own, tell),
    async follow(service, onRestored) {
      reader = await readMessages(database, namespace, ({ seq, body }) =>
        hear(service, onRestored, seq, body as Told),
      );
      takeOver = startTakeOver(service, registry, queue);
    },
    async leave() {
      await takeOver?.stop();
      await reader?.stop();
      state = "left";
      await queue.close().catch(() => {});
      await registry.leave().catch(() => {});
    },
  };
}
