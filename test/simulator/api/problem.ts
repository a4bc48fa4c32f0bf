/** What an error of each version looks like (API v4 §7, v3 §7). */
import { expect } from "vitest";
import { type Answer, headerFaults, type Version } from "./fixtures.ts";
import { mismatches } from "./shape.ts";
import { failureV3 } from "./shapes-v3.ts";
import { failureV4 } from "./shapes-v4.ts";

type Problem = { readonly message?: string; readonly errors: Readonly<Record<string, string[]>> };

/** Holds an answer to be an error of `status`, which names `field` where one is given. */
export function expectProblem(
  version: Version,
  answer: Answer<unknown>,
  status: number,
  field?: string,
): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(mismatches(version === "v4" ? failureV4 : failureV3, answer.body)).toEqual([]);
  expect(headerFaults(answer)).toEqual([]);
  const problem = answer.body as Problem;
  const [first] = Object.values(problem.errors);
  // On validation failures the message repeats the first field message.
  if (version === "v4" && first !== undefined) expect(problem.message).toBe(first[0]);
  if (field !== undefined) expect(Object.keys(problem.errors)).toContain(field);
}
