/** Refusals of the service, which the edge shapes for each API version. */

/** Field name → messages, as the API shows them; empty if the problem is in no field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 413 | 429 | 431;

/** Thrown by the service's operations, which then have changed nothing. */
export class ServiceProblem extends Error {
  readonly status: ProblemStatus;
  readonly errors: FieldErrors;
  /** The subject of a problem without a field, for version 3, whose errors always name one; `null` if there is none. */
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

/** A 400 with errors of fields; the first message of the first field becomes the problem's message. */
export function fieldProblem(errors: FieldErrors): ServiceProblem {
  const [first] = Object.values(errors).flat();
  return new ServiceProblem(400, first ?? "incorrect or missing parameter", errors);
}

/** Throws a 400 if there are errors of fields. */
export function refuseFields(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw fieldProblem(errors);
}

export function notFound(what: string): ServiceProblem {
  return new ServiceProblem(404, `${what} not found`, {}, what);
}

/** The row, or a 404 that names `what` was not found. */
export function found<Row>(row: Row | undefined, what: string): Row {
  if (row === undefined) throw notFound(what);
  return row;
}
