/** The differences between the API versions: routes, bodies, and the form of problems. */
import type { z } from "zod";
import type { FieldErrors } from "../model/problem.ts";
import type { BodyForms } from "./read/read-body.ts";
import type { Route } from "./route.ts";

export interface ShownProblem {
  readonly status: number;
  readonly message: string;
  readonly errors: FieldErrors;
  /** The subject of a problem without a field; `null` if there is none. */
  readonly about: string | null;
}

export interface Version {
  /** The first segment of its paths. */
  readonly name: string;
  readonly title: string;
  readonly forms: BodyForms;
  readonly routes: readonly Route[];
  readonly problemSchema: z.ZodType;
  presentProblem(problem: ShownProblem): unknown;
}
