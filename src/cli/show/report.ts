/** What `mailflow route` has to tell, whoever reads it. */
import type { MessageProblem } from "../../message/header/message-problem.ts";
import type { Answer, Question } from "../../rehearse/route-message.ts";

/** What reports need to know of the question. */
export type Told = Pick<Question, "domain" | "trace">;

export interface Report {
  /** What follows is about this message. */
  begin(message: string): Promise<void>;
  answered(recipient: string, answer: Answer, problems: readonly MessageProblem[]): Promise<void>;
  /** The message names no recipient at the domain. */
  noRecipient(problems: readonly MessageProblem[]): Promise<void>;
  unreadable(failure: string): Promise<void>;
  /** Ends the report; answers how many decisions it told. */
  end(): Promise<number>;
}
