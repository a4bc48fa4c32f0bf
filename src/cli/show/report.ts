/** The events that `mailflow route` reports, in any format. */
import type { MessageProblem } from "../../message/header/message-problem.ts";
import type { Answer, Question } from "../../rehearse/route-message.ts";

/** The parts of the question that reports need. */
export type Told = Pick<Question, "domain" | "trace">;

export interface Report {
  /** Later calls are about this message. */
  begin(message: string): Promise<void>;
  answered(recipient: string, answer: Answer, problems: readonly MessageProblem[]): Promise<void>;
  /** The message names no recipient at the domain. */
  noRecipient(problems: readonly MessageProblem[]): Promise<void>;
  unreadable(failure: string): Promise<void>;
  /** Ends the report; resolves to the number of decisions in it. */
  end(): Promise<number>;
}
