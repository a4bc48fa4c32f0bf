/** How one endpoint of the texts is written down: what is sent, what comes back, what is refused. */
import type { Fields, Names, World } from "./fixtures.ts";
import type { Shape } from "./shape.ts";

export type QueryParameter = {
  readonly name: string;
  /** What it does, in the text's sense. */
  readonly effect: string;
} & (
  | { readonly kind: "text" | "time" | "seconds" }
  /** `standard` and `max`: `null` where the text states none. */
  | { readonly kind: "integer"; readonly standard: number | null; readonly max: number | null }
  | {
      readonly kind: "choice";
      readonly values: readonly string[];
      readonly standard: string | null;
    }
  /** Comma-separated. */
  | { readonly kind: "choices"; readonly values: readonly string[] }
);

export interface BodyParameter {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "object" | "array" | "string or array";
  readonly need: "required" | "optional";
}

export interface Sent {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Fields;
}

/** A condition under which the text states an error. */
export interface Refusal {
  readonly when: string;
  readonly status: number;
  readonly sent: (world: World) => Sent;
  /** Path parameters that name nothing. */
  readonly absent?: readonly (keyof Names)[];
}

export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As in the text, e.g. `/domains/:domain/aliases/:id`. */
  readonly path: string;
  /** What stands for the path's last parameter. */
  readonly child?: keyof Names;
  readonly query: readonly QueryParameter[];
  readonly body: readonly BodyParameter[];
  /** A request that succeeds. */
  readonly sent: (world: World) => Sent;
  readonly status: readonly number[];
  /** `null`: no body. */
  readonly answer: Shape | null;
  /** `paid`: the free plan gets 403. */
  readonly plan: "any" | "paid";
  readonly refusals: readonly Refusal[];
}

type Written = Pick<Endpoint, "method" | "path" | "answer"> & Partial<Endpoint>;

/** Fills in what most endpoints have in common. */
export function endpoint(written: Written): Endpoint {
  return {
    query: [],
    body: [],
    sent: () => ({}),
    status: [200],
    plan: "any",
    refusals: [],
    ...written,
  };
}

/** The parameters of a path that stand for things that can be missing. */
export function parametersOf(row: Endpoint): readonly (keyof Names)[] {
  const domain: (keyof Names)[] = row.path.includes("/:domain") ? ["domain"] : [];
  return row.child === undefined ? domain : [...domain, row.child];
}

/** Names that nothing has, each of the form that its place asks for. */
const ABSENT: Names = {
  domain: "absent.test",
  alias: "absent",
  aliasId: "999999999",
  ruleId: "00000000-0000-4000-8000-000000000000",
  username: "absent",
  template: "absent",
  logId: "absent-log-entry",
};

/** The path with its parameters filled in; those in `absent` name nothing. */
export function pathOf(row: Endpoint, world: World, absent: readonly (keyof Names)[] = []): string {
  const fill = (name: keyof Names): string =>
    encodeURIComponent((absent.includes(name) ? ABSENT : world.names)[name]);
  return row.path
    .replace(":domain", fill("domain"))
    .replace(/:[a-z]+/, () => fill(row.child ?? "domain"));
}

export const text = (name: string, effect: string): QueryParameter => ({
  kind: "text",
  name,
  effect,
});

export const limit = (standard: number, max: number): QueryParameter => ({
  kind: "integer",
  name: "limit",
  effect: "entries of a page",
  standard,
  max,
});

export const page = (): QueryParameter => ({
  kind: "integer",
  name: "page",
  effect: "1-based page",
  standard: 1,
  max: null,
});

export const choice = (
  name: string,
  values: readonly string[],
  standard: string | null,
  effect: string,
): QueryParameter => ({ kind: "choice", name, values, standard, effect });

export const allTrue: QueryParameter = {
  kind: "choice",
  name: "all",
  values: ["true"],
  standard: null,
  effect: "required guard against an accidental wipe",
};

export const needs = (name: string, type: BodyParameter["type"]): BodyParameter => ({
  name,
  type,
  need: "required",
});

export const takes = (name: string, type: BodyParameter["type"]): BodyParameter => ({
  name,
  type,
  need: "optional",
});
