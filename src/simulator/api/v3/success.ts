/** Most answers of version 3 carry `success: true` (API v3 §1). */
import { z } from "zod";
import { type Answer, ok, type Route } from "../route.ts";

/** The schema of an answer with these fields and `success`. */
export function succeeds(fields: Readonly<Record<string, z.ZodType>>): z.ZodType {
  return z.strictObject({ ...fields, success: z.literal(true) });
}

export function success(fields: Readonly<Record<string, unknown>>): Answer {
  return ok({ ...fields, success: true });
}

/** What single deletes answer. */
export const DELETED: Answer = success({});
export const DELETED_ANSWERS: Route["answers"] = { 200: succeeds({}) };

/** What is answered when all is deleted. */
export const COUNT_ANSWERS: Route["answers"] = { 200: z.strictObject({ deleted: z.int() }) };
