/** What the API suites need of the simulator, so that they can be written and type-checked apart from it. */
import { existsSync } from "node:fs";

/** One message handed to the simulator as its MX would take it. */
export interface IncomingMessage {
  readonly envelope: { readonly sender: string; readonly recipients: readonly string[] };
  /** The message as octets, or as text whose lines may end in LF. */
  readonly message: string | Uint8Array;
}

export interface SimulatorClock {
  nowMs(): number;
  freeze(): void;
  /** Moves on by `ms`, running what falls due and waiting for it. */
  advance(ms: number): Promise<void>;
}

export interface Simulator {
  /** Password of the Basic credentials; the user is `api`. */
  readonly apiKey: string;
  readonly clock: SimulatorClock;
  fetch(request: Request): Promise<Response>;
  /** Settles with the answer to each recipient; how an answer looks is not the API's business. */
  receive(message: IncomingMessage): Promise<unknown>;
  close(): Promise<void>;
}

export type Plan = "free" | "premium";

export interface SimulatorOptions {
  /** The account's plan; premium unless said otherwise. */
  readonly plan?: Plan;
}

export type CreateSimulator = (options: SimulatorOptions) => Promise<Simulator>;

const ENTRY = new URL("../../../src/simulator/index.ts", import.meta.url);

/** Why the suites cannot run, or `null` when they can. */
export const absence: string | null = existsSync(ENTRY)
  ? null
  : "there is no src/simulator/index.ts to hold to the API texts";

/** Opens a simulator whose clock stands still, so that no window or timestamp depends on the machine. */
export async function openSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const entry: { createSimulator: CreateSimulator } = await import(ENTRY.href);
  const simulator = await entry.createSimulator(options);
  simulator.clock.freeze();
  return simulator;
}
