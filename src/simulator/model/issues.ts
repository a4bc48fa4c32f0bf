/** What zod finds wrong, as places and words: the one way from its issues to the errors of fields. */
import type { z } from "zod";
import { formatPath, type Path } from "../../base/diagnostic.ts";
import type { FieldErrors } from "./problem.ts";

export interface Issue {
  /** As the author writes it: `domains[0].rules`. */
  readonly field: string;
  readonly path: readonly PropertyKey[];
  /** Lower case, no full stop. */
  readonly message: string;
  /** `unknown`: a field that nothing knows; `own`: the message is that of the schema's author. */
  readonly kind: "unknown" | "own" | "type";
}

/** Each issue; an unknown field is one of its own, at its own place. */
export function issuesOf({ issues }: z.core.$ZodError): readonly Issue[] {
  return issues.flatMap((issue): Issue[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        const field = formatPath(path as Path);
        return { field, path, message: "unknown field: remove it", kind: "unknown" };
      });
    }
    const message = issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
    const kind = issue.code === "custom" ? "own" : "type";
    return [{ field: formatPath(issue.path as Path), path: issue.path, message, kind }];
  });
}

/** Messages by field; each begins with the field where `named`. */
export function fieldErrorsOf(error: z.core.$ZodError, style: "bare" | "named"): FieldErrors {
  const errors: Record<string, readonly string[]> = {};
  for (const { field, message } of issuesOf(error)) {
    const said = style === "named" ? `${field}: ${message}` : message;
    errors[field] = [...(errors[field] ?? []), said];
  }
  return errors;
}
