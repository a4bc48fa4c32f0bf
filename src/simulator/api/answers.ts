/** How each version writes an answer: version 3 adds `success: true` to most (API v4 §1, v3 §1). */
import { z } from "zod";
import { type Answer, NO_CONTENT, ok, type Route } from "./route.ts";

type Answers = Route["answers"];

export interface AnswerStyle {
  /** The answers of a row that says these fields. */
  answers(fields: Readonly<Record<string, z.ZodType>>): Answers;
  answer(fields: Readonly<Record<string, unknown>>): Answer;
  /** Of a row that deletes one thing. */
  readonly deletedAnswers: Answers;
  readonly deleted: Answer;
}

export const PLAIN: AnswerStyle = {
  answers: (fields) => ({ 200: z.strictObject(fields) }),
  answer: ok,
  deletedAnswers: { 204: null },
  deleted: NO_CONTENT,
};

/** The schema of an answer with these fields and `success`. */
export function succeeds(fields: Readonly<Record<string, z.ZodType>>): z.ZodType {
  return z.strictObject({ ...fields, success: z.literal(true) });
}

export function success(fields: Readonly<Record<string, unknown>>): Answer {
  return ok({ ...fields, success: true });
}

export const SUCCEEDING: AnswerStyle = {
  answers: (fields) => ({ 200: succeeds(fields) }),
  answer: success,
  deletedAnswers: { 200: succeeds({}) },
  deleted: success({}),
};
