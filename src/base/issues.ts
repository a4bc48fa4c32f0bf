/** Turns zod's issues into places and messages; everything that zod checks is reported through this file. */
import { formatPath, type Path } from "./diagnostic.ts";

/** A `ZodError`, as far as it is read here: this floor imports no package. */
interface UnionRefusal {
  readonly issues: readonly {
    readonly code: string;
    readonly path: readonly PropertyKey[];
    readonly message: string;
    readonly keys?: readonly string[];
  }[];
}

export interface Issue {
  /** As the author writes it: `domains[0].rules`. */
  readonly field: string;
  readonly path: Path;
  /** Lower case, no full stop. */
  readonly message: string;
  /** `unknown`: the schema has no such field; `own`: the schema's author wrote the message. */
  readonly kind: "unknown" | "own" | "type";
}

/** The issues in zod's order. Each unknown field becomes an issue with its own path. */
export function issuesOf({ issues }: UnionRefusal): readonly Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const at = issue.path as Path;
    if (issue.keys !== undefined && issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => {
        const path = [...at, key];
        const message = "unknown field: remove it";
        return { field: formatPath(path), path, message, kind: "unknown" };
      });
    }
    const message = issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
    const kind = issue.code === "custom" ? "own" : "type";
    return [{ field: formatPath(at), path: at, message, kind }];
  });
}

/** The messages of each field. A field may have any name: an object as the map would already have a `constructor`. */
export function byField(
  said: Iterable<readonly [field: string, message: string]>,
): Record<string, readonly string[]> {
  const messages = new Map<string, string[]>();
  for (const [field, message] of said) {
    const known = messages.get(field);
    if (known === undefined) messages.set(field, [message]);
    else known.push(message);
  }
  return Object.fromEntries(messages);
}

/** Messages by field; with `named`, each begins with the field. */
export function fieldErrorsOf(
  error: UnionRefusal,
  style: "bare" | "named",
): Readonly<Record<string, readonly string[]>> {
  const said = issuesOf(error).map(
    ({ field, message }) => [field, style === "named" ? `${field}: ${message}` : message] as const,
  );
  return byField(said);
}
