/** Why a replay did not begin or did not finish. */
import { systemFailure } from "../../mailbox/system-failure.ts";

/** `refused`: nothing was read or written; `failed`: it ended before all was routed. The message says what to do. */
export class ReplayError extends Error {
  readonly kind: "refused" | "failed";

  constructor(kind: "refused" | "failed", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Runs an operation on a file. Wraps its error in a `ReplayError` that names both. */
export async function onFile<T>(
  operation: "read" | "write" | "open",
  name: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ReplayError) throw error;
    throw new ReplayError("failed", systemFailure(operation, name, error), error);
  }
}
