/** Entry point `mailflow/vitest`: importing it adds the matcher `toRoute` to vitest's `expect`. */
import { expect } from "vitest";
import type { InlineMessage } from "./inline-message.ts";
import { type RouteExpectation, toRoute } from "./to-route.ts";

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that is merged has the same default
  interface Matchers<T = any> {
    /** Whether the domain does with the message what is expected. */
    toRoute(message: InlineMessage, expectation: RouteExpectation): T;
  }
}

expect.extend({ toRoute });

export type { InlineMessage } from "./inline-message.ts";
export type { RouteExpectation } from "./to-route.ts";
