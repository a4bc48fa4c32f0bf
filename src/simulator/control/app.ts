/** The control plane over HTTP: everything under `/_sim/`, from a request to its response. */
import { type Context, Hono } from "hono";
import { z } from "zod";
import { formatPath } from "../../base/diagnostic.ts";
import { answerRow } from "../api/answer-row.ts";
import { writeOpenApi } from "../api/openapi.ts";
import { ok, parametersOf } from "../api/route.ts";
import { ServiceProblem } from "../model/problem.ts";
import { StoreUnavailableError } from "../store/store.ts";
import type { Access } from "./access.ts";
import { API_PAGE } from "./routes/api-page.ts";
import { type ControlRoute, controlRoute, type Desk } from "./routes/route.ts";
import { INBOX_ROUTES } from "./routes/routes-inbox.ts";
import { MAIL_ROUTES } from "./routes/routes-mail.ts";
import { SMTP_ROUTES } from "./routes/routes-smtp.ts";
import { STATE_ROUTES } from "./routes/routes-state.ts";

export const CONTROL_PATH = "/_sim";

const INDEX: ControlRoute = controlRoute({
  method: "GET",
  path: "/",
  summary: "this table",
  answers: { 200: z.strictObject({ endpoints: z.array(z.looseObject({})) }) },
  handle: async () => ok({ endpoints: CONTROL_ROUTES.map(shownRow) }),
});

const OPENAPI: ControlRoute = controlRoute({
  method: "GET",
  path: "/openapi.json",
  summary: "this table as an OpenAPI document",
  answers: { 200: z.looseObject({}) },
  handle: async () => ok(writeOpenApi(DOCUMENT)),
});

const DOCS: ControlRoute = controlRoute({
  method: "GET",
  path: "/docs",
  summary: "a page of all three APIs: version 4, version 3, and this one",
  answers: { 200: z.string() },
  media: "text/html",
  async handle() {
    const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `${policy}; connect-src 'self'`,
    };
    return new Response(API_PAGE, { headers });
  },
});

/** Every endpoint; `GET /_sim/` shows it. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  INDEX,
  OPENAPI,
  DOCS,
  ...STATE_ROUTES,
  ...INBOX_ROUTES,
  ...MAIL_ROUTES,
  ...SMTP_ROUTES,
];

const DOCUMENT = {
  name: "_sim",
  title: "Control plane of the simulator",
  forms: "json",
  rates: "none",
  routes: CONTROL_ROUTES,
  problemSchema: z
    .strictObject({
      message: z.string(),
      errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    })
    .meta({ id: "Problem" }),
} as const;

interface ShownRow {
  readonly method: string;
  readonly path: string;
  readonly takes: readonly string[];
  readonly summary: string;
}

/** A row as the index and the documents show it: fields of query and body, `?` behind those that may be absent. */
export function shownRow({ method, path, summary, query, body }: ControlRoute): ShownRow {
  const shapes = [query.shape, body?.shape ?? {}] as Readonly<Record<string, z.ZodType>>[];
  const takes = shapes
    .flatMap((shape) => Object.entries(shape))
    .map(([name, schema]) => (schema.safeParse(undefined).success ? `${name}?` : name));
  return { method, path: CONTROL_PATH + path, takes, summary };
}

interface ErrorEntry {
  /** Where in the request, such as `domains[0].rules[2].config.regex`; `""`: all of it. */
  readonly path: string;
  readonly message: string;
}

/** What `formatPath` writes for the whole request; answers leave that path empty. */
const ROOT = formatPath([]);

function refuse(status: number, message: string, errors: readonly ErrorEntry[] = []): Response {
  return Response.json({ message, errors }, { status });
}

function refusalOf(problem: ServiceProblem): Response {
  const errors = Object.entries(problem.errors).flatMap(([path, messages]) =>
    messages.map((message) => ({ path: path === ROOT ? "" : path, message })),
  );
  return refuse(problem.status, problem.message, errors);
}

/** Who may send requests, and who receives defects. */
export interface Visit {
  readonly access: Access;
  readonly onDefect: (defect: unknown) => void;
}

interface Served {
  Bindings: { readonly desk: Desk };
}

function createRouter(): Hono<Served> {
  const app = new Hono<Served>({ strict: false }).basePath(CONTROL_PATH);
  // Literal segments come before parameters: `/messages/wait` is never a message.
  const rows = [...CONTROL_ROUTES].sort(
    (a, b) => parametersOf(a.path).length - parametersOf(b.path).length,
  );
  for (const row of rows) {
    const answer = answerRow({ forms: "json" }, row, "refused");
    app.on(row.method, row.path, async ({ env, req }: Context<Served>) => {
      const said = await answer(env.desk, { request: req.raw, params: req.param() });
      if (said instanceof Response) return said;
      const { status, body } = said;
      return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
    });
  }
  for (const path of new Set(rows.map((row) => row.path))) {
    const methods = rows.filter((row) => row.path === path).map(({ method }) => method);
    app.all(path, ({ req }) =>
      refuse(405, `\`${req.method}\` is not a method of this path: use ${methods.join(", ")}`),
    );
  }
  app.notFound(({ req }) =>
    refuse(404, `no endpoint \`${req.path}\`: \`GET ${CONTROL_PATH}/\` lists them`),
  );
  app.onError((error) => {
    throw error;
  });
  return app;
}

let router: Hono<Served> | undefined;

/** Never rejects; the request is below `CONTROL_PATH`. */
export async function answerControl(
  desk: Desk,
  request: Request,
  { access, onDefect }: Visit,
): Promise<Response> {
  const refused = access(request);
  if (refused !== null) return refuse(refused.status, refused.message);
  router ??= createRouter();
  try {
    return await router.fetch(request, { desk });
  } catch (thrown) {
    if (thrown instanceof ServiceProblem) return refusalOf(thrown);
    if (thrown instanceof StoreUnavailableError) return refuse(503, thrown.message);
    onDefect(thrown);
    return refuse(500, thrown instanceof Error ? thrown.message : String(thrown));
  }
}
