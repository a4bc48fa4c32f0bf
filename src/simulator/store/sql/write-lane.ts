/** Group commit: transactions run one after another, and those waiting at the same time are committed together. */
import { AsyncLocalStorage } from "node:async_hooks";
import { LIMITS } from "../../../base/limits.ts";
import type { SqlDatabase } from "./database/sql-database.ts";
import type { SqlTables } from "./sql-tables.ts";
import { createWriteBatch, type Turn, type WriteBatch } from "./write-batch.ts";

interface OpenTurn {
  readonly turn: Turn;
  state: "open" | "kept" | "undone";
}

interface Waiting {
  /** Runs within the batch; does not settle the caller's promise yet. */
  run(batch: WriteBatch): Promise<void>;
  /** The batch is committed. */
  settle(): void;
  fail(error: unknown): void;
}

export interface WriteLane {
  /** The caller's open transaction; undefined outside a transaction. */
  current(): Turn | undefined;
  /** Runs `work` alone, and resolves after the commit. Throws if the caller is already in a transaction. */
  transaction<Result>(work: (turn: Turn) => Promise<Result>): Promise<Result>;
  /** Waits for all transactions so far. */
  idle(): Promise<void>;
}

export function createWriteLane(database: SqlDatabase, tables: SqlTables): WriteLane {
  const context = new AsyncLocalStorage<OpenTurn>();
  const waiting: Waiting[] = [];
  let draining: Promise<void> | undefined;

  function current(): Turn | undefined {
    const open = context.getStore();
    if (open?.state === "undone") {
      throw new Error(
        "this transaction was undone before all its steps had ended: await each step",
      );
    }
    return open?.state === "open" ? open.turn : undefined;
  }

  async function runTurn<Result>(
    batch: WriteBatch,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    const open: OpenTurn = { turn: batch.begin(), state: "open" };
    try {
      const result = await context.run(open, () => work(open.turn));
      open.state = "kept";
      await open.turn.keep();
      return result;
    } catch (error) {
      open.state = "undone";
      await open.turn.undo();
      throw error;
    }
  }

  /** Runs turns until none waits, or until other processes have waited for the lock long enough. */
  async function runBatch(taken: Waiting[]): Promise<void> {
    await database.transaction("write", async (session) => {
      const untilMs = performance.now() + LIMITS.commitTurnsMs;
      const batch = createWriteBatch(session, tables);
      while (
        waiting.length > 0 &&
        taken.length < LIMITS.commitTurnsMax &&
        performance.now() < untilMs
      ) {
        const next = waiting.shift()!;
        taken.push(next);
        await next.run(batch);
      }
      await batch.flush();
    });
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const taken: Waiting[] = [];
      try {
        await runBatch(taken);
        tables.commit();
        for (const each of taken) each.settle();
      } catch (error) {
        tables.forget();
        // Without a connection no turn ran: all waiting ones would fail in the same way.
        for (const each of taken.length > 0 ? taken : waiting.splice(0)) each.fail(error);
      }
    }
    draining = undefined;
  }

  return {
    current,
    async transaction(work) {
      if (current() !== undefined) {
        throw new Error("a transaction is already open: do this work within it");
      }
      return new Promise((resolve, reject) => {
        let settle: () => void = () => {};
        // Each runs in the asynchronous context of its own caller, not in that of the draining one.
        const run = AsyncLocalStorage.bind(async (batch: WriteBatch) => {
          try {
            const result = await runTurn(batch, work);
            settle = () => resolve(result);
          } catch (error) {
            settle = () => reject(error);
          }
        });
        waiting.push({ run, settle: () => settle(), fail: reject });
        draining ??= drain();
      });
    },
    async idle() {
      await draining;
    },
  };
}
