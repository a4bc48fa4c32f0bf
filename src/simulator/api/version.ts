/** What sets one version of the API apart from the other: its routes, its bodies, and how it shows problems. */
import type { z } from "zod";
import type { FieldErrors } from "../model/problem.ts";
import type { BodyForms } from "./read/read-body.ts";
import type { Route } from "./route.ts";

export interface ShownProblem {
  readonly status: number;
  readonly message: string;
  readonly errors: FieldErrors;
  /** What the problem is about if no field is wrong; `null`: nothing in particular. */
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
