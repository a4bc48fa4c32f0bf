/** One row of the control plane's table: an endpoint, its request, its answers, and its handler. */

import type { Answer, Route } from "../../api/route.ts";
import { routesFor } from "../../api/route.ts";
import type { ControlRoom } from "../control.ts";
import type { Parts } from "../parts.ts";

/** The parts that a handler uses. */
export interface Desk extends ControlRoom {
  readonly parts: Parts;
  /** Aborts when the server closes, which also ends requests that wait. */
  readonly over: AbortSignal;
}

/** A stream or a file is a complete response. */
export type ControlRoute = Route<Desk, Answer | Response>;

export const controlRoute: ReturnType<typeof routesFor<Desk, Answer | Response>> = routesFor<
  Desk,
  Answer | Response
>();
