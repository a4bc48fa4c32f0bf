/** Problems found while reading a message. A problem never stops the other facts from being read. */

/** Closed list of the problems that a message can have. */
export type MessageProblemCode =
  | "header-too-long"
  | "too-many-fields"
  | "field-too-long"
  | "malformed-field"
  | "too-many-senders"
  | "comments-too-deep"
  | "too-many-parameters"
  | "message-too-large"
  | "missing-parts"
  | "too-many-parts"
  | "parts-too-deep"
  | "part-unreadable"
  | "body-cut";

/** Something in a message that could not be read or was cut at a bound. */
export interface MessageProblem {
  readonly code: MessageProblemCode;
  /** One line, lower case, no full stop. */
  readonly message: string;
}

/** One problem of each code: the first reported. */
export function distinctProblems(problems: readonly MessageProblem[]): readonly MessageProblem[] {
  if (problems.length < 2) return problems;
  const codes = new Set<MessageProblemCode>();
  return problems.filter(({ code }) => codes.size < codes.add(code).size);
}

/** Makes a problem. */
export function problem(code: MessageProblemCode, message: string): MessageProblem {
  return { code, message };
}
