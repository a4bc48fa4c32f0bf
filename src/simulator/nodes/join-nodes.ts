/**
 * Joins a process to the others on its PostgreSQL: they share the queue, events and rate limits, and take over each other's
 * work.
 */
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
  /** Notifies the watchers of every node, this one included. */
  readonly feed: EventFeed;
  /** Starts following the other nodes; `onRestored` is called when one has replaced the state. */
  follow(service: Service, onRestored: () => void): Promise<void>;
  /** Gives unfinished work back and leaves the group. */
  leave(): Promise<void>;
}

type NodeMessage =
  | { readonly kind: "event"; readonly event: ServiceEvent }
  | { readonly kind: "restored"; readonly atMs: number };

/** Tries again while the database is unavailable, for at most `LIMITS.storePatienceMs`. */
async function retrying<Result>(
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

/** `feed` is this process's own; messages sent through the result reach all processes. */
function sharedFeed(feed: EventFeed, broadcast: (message: NodeMessage) => void): EventFeed {
  return {
    notify: (event) => broadcast({ kind: "event", event }),
    restored: (atMs) => broadcast({ kind: "restored", atMs }),
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
    run: (sql, parameters) => retrying(() => database.run({ sql, parameters }), isOver),
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

  /** Part of the caller's transaction, if there is one, so that only committed changes are sent. */
  function broadcast(message: NodeMessage): void {
    retrying(() => store.broadcast(JSON.stringify(message)), isOver).catch(onDefect);
  }

  function receive(
    service: Service,
    onRestored: () => void,
    seq: number,
    message: NodeMessage,
  ): void {
    if (own.lastId < seq - 1) own.skipTo(seq - 1);
    if (message.kind === "restored") {
      service.compiled.clear();
      onRestored();
      own.restored(message.atMs);
      return;
    }
    const { event } = message;
    if (event.kind === "changed") service.compiled.delete(event.domain);
    own.notify(event);
  }

  return {
    registry,
    queue,
    rateLimits: createSharedRates(database, namespace, nowMs),
    signIns: createSharedSignIns(database, namespace, nowMs),
    feed: sharedFeed(own, broadcast),
    async follow(service, onRestored) {
      reader = await readMessages(database, namespace, ({ seq, body }) =>
        receive(service, onRestored, seq, body as NodeMessage),
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
