/** What a caller of the service did wrong or may not do: shaped per API version at the edge. */

/** Field name → messages, as the API shows them; empty when no field is to blame. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 413 | 429 | 431;

/** Thrown by the service's operations; nothing has been changed when one is. */
export class ServiceProblem extends Error {
  readonly status: ProblemStatus;
  readonly errors: FieldErrors;
  /** What the problem is about where no field is at fault, for version 3, whose errors always name one; `null`: nothing in particular. */
  readonly about: string | null;

  /** On field errors, `message` is the first field's first message (API v4 §7). */
  constructor(
    status: ProblemStatus,
    message: string,
    errors: FieldErrors = {},
    about: string | null = null,
  ) {
    super(message);
    this.name = "ServiceProblem";
    this.status = status;
    this.errors = errors;
    this.about = about;
  }
}

/** A 400 that blames fields; the first message of the first field becomes the problem's message. */
export function fieldProblem(errors: FieldErrors): ServiceProblem {
  const [first] = Object.values(errors).flat();
  return new ServiceProblem(400, first ?? "incorrect or missing parameter", errors);
}

export function notFound(what: string): ServiceProblem {
  return new ServiceProblem(404, `${what} not found`, {}, what);
}
