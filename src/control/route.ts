/** One row of the control plane's table: an endpoint, what it takes, and what does it. */
import type { Control } from "./control.ts";
import type { Parts } from "./parts.ts";

/** What a row works with. */
export interface Desk {
  readonly control: Control;
  readonly parts: Parts;
  /** Aborts when whoever serves the request wants to end: what waits then ends too. */
  readonly over: AbortSignal;
}

export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/_sim`, with at most one parameter at its end: `/faults/:id`. */
  readonly path: string;
  readonly summary: string;
  /** Query parameters or fields of the body, `?` behind those that may be absent. */
  readonly takes: readonly string[];
  /** JSON, or a response of its own; `undefined`: nothing to say. */
  answer(desk: Desk, request: Request, parameter: string): Promise<unknown>;
}
