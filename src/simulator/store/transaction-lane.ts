/** One transaction after another: what is called within one joins it, everything else waits for its end. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Notes how to take a change back. */
export type NoteUndo = (undo: () => void) => void;

export interface TransactionLane {
  /** Runs one synchronous step: at once within an open transaction or when there is none, else in its turn. */
  step<Result>(work: (noteUndo: NoteUndo) => Result): Promise<Result>;
  /** Whether the caller is within an open transaction. */
  isOpen(): boolean;
  /** Runs `work` alone; when it rejects, takes its steps back, the last one first. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
}

const noUndo: NoteUndo = () => {};

interface Transaction {
  state: "open" | "kept" | "undone";
  readonly undos: (() => void)[];
}

export function createTransactionLane(): TransactionLane {
  // Calls carry no handle of their transaction, so it is known by the asynchronous context they come from.
  const context = new AsyncLocalStorage<Transaction>();
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** The open transaction of the caller. One that was undone takes no more steps; one that was kept is over. */
  function openTransaction(): Transaction | undefined {
    const transaction = context.getStore();
    if (transaction?.state === "undone") {
      throw new Error(
        "this transaction was undone before all its steps had ended: await each step",
      );
    }
    return transaction?.state === "open" ? transaction : undefined;
  }

  function inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const leave = (): void => {
      waiting--;
    };
    waiting++;
    const result = tail.then(work);
    tail = result.then(leave, leave);
    return result;
  }

  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    const transaction: Transaction = { state: "open", undos: [] };
    try {
      const result = await context.run(transaction, work);
      transaction.state = "kept";
      return result;
    } catch (error) {
      transaction.state = "undone";
      for (const undo of transaction.undos.reverse()) undo();
      throw error;
    } finally {
      // While a context is followed, Node.js 20 pays for every promise of the process: 3 times as much.
      if (transaction.state === "kept") context.disable();
    }
  }

  return {
    step(work) {
      try {
        const transaction = openTransaction();
        if (transaction !== undefined) {
          return Promise.resolve(work((undo) => transaction.undos.push(undo)));
        }
        if (waiting === 0) return Promise.resolve(work(noUndo));
      } catch (error) {
        return Promise.reject(error);
      }
      return inTurn(() => work(noUndo));
    },
    isOpen: () => openTransaction() !== undefined,
    async transaction(work) {
      if (openTransaction() === undefined) return inTurn(() => run(work));
      throw new Error("a transaction is open already: do this work within it");
    },
  };
}
