/** One row of a route table: an endpoint, its request, its answers, and its handler. */
import { z } from "zod";
import type { Service } from "../model/service.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface Answer {
  readonly status: number;
  /** `undefined`: none. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export const NO_CONTENT: Answer = { status: 204, body: undefined };

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The arguments of the handler, checked against the row's schemas. */
export interface Sent<Path extends string, Query, Body> {
  readonly params: Readonly<Record<ParameterOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The request itself; its body has been read if the row has a schema for it. */
  readonly request: Request;
}

interface About {
  readonly method: Method;
  readonly summary: string;
  /** By status; `null`: no body. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  /** Media type of the answers; default `application/json`. */
  readonly media?: string;
  /** A limit of its own; by default the plan's. */
  readonly requestsMax?: number;
  /** By default `LIMITS.bodyBytesMax`. */
  readonly bodyBytesMax?: number;
}

/** `Host` is what handlers work with; those of the API, with the service. */
export interface Route<Host = Service, Out = Answer> extends About {
  readonly path: string;
  readonly query: z.ZodObject;
  /** `null`: none is read. */
  readonly body: z.ZodObject | null;
  handle(host: Host, sent: Sent<string, unknown, unknown>): Promise<Out>;
}

interface RouteRow<
  Host,
  Out,
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
> extends About {
  /** As in the API's text: `/domains/:domain`. */
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  handle(host: Host, sent: Sent<Path, z.output<Query>, z.output<Body>>): Promise<Out>;
}

type NoFields = z.ZodObject<Record<never, never>>;
const NO_FIELDS: z.ZodObject = z.object({});

/** Keeps the types of a row's schemas together with its handler. */
type MakeRoute<Host, Out> = <
  const Path extends string,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodObject = NoFields,
>(
  row: RouteRow<Host, Out, Path, Query, Body>,
) => Route<Host, Out>;

/** Makes rows whose handlers work with a `Host`. */
export function routesFor<Host, Out = Answer>(): MakeRoute<Host, Out> {
  return ({ query = NO_FIELDS, body = null, ...rest }) =>
    ({ ...rest, query, body }) as unknown as Route<Host, Out>;
}

export const route: MakeRoute<Service, Answer> = routesFor<Service>();

/** `["domain", "id"]` of `/domains/:domain/aliases/:id`. */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/:([a-z_]+)/gi)].map(([, name]) => name!);
}
