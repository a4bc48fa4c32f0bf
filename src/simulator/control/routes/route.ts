/** One row of the control plane's table: an endpoint, its request, its answers, and its handler. */

import type { Answer, Route } from "../../api/route.ts";
import { routesFor } from "../../api/route.ts";
import type { ControlRoom } from "../control.ts";
import type { Parts } from "../parts.ts";

/** What a row works with. */
export interface Desk extends ControlRoom {
  readonly parts: Parts;
  /** Aborts when whoever serves the request wants to end: what waits then ends too. */
  readonly over: AbortSignal;
}

/** A stream or a file is a response of its own. */
export type ControlRoute = Route<Desk, Answer | Response>;

export const controlRoute: ReturnType<typeof routesFor<Desk, Answer | Response>> = routesFor<
  Desk,
  Answer | Response
>();
