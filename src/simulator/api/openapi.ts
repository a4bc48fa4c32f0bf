/** The OpenAPI 3.1 document of a version, written from its route table. */
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";
import { parametersOf, type Route } from "./route.ts";
import type { Version } from "./version.ts";

type DocumentNode = Readonly<Record<string, unknown>>;

/** Named schemas, collected from their uses. */
type Components = Record<string, unknown>;

const PARAMETERS: Readonly<Record<string, string>> = {
  domain: "name of the domain",
  id: "id",
  rule: "id of the rule, a UUID",
  username: "username of the credential",
  name: "name of the template",
  alias: "name of the alias, or its id",
  log: "id of the log entry, or name of an alias",
};

const header = (description: string): DocumentNode => ({
  description,
  required: true,
  schema: { type: "integer" },
});

const RATE_HEADERS: DocumentNode = {
  "X-RateLimit-Limit": header("requests allowed in the window"),
  "X-RateLimit-Remaining": header("requests left in the window"),
  "X-RateLimit-Reset": header("end of the window in Unix seconds"),
};

/** Answers that any request may get instead. */
const PROBLEMS: Readonly<Record<number, string>> = {
  400: "incorrect or missing parameter",
  401: "missing or invalid credentials",
  403: "missing permissions",
  404: "not found",
  413: "body too large",
  429: "rate limited",
  500: "server error",
};

/** Without `$defs`, which become components. */
function inDocument(components: Components, schema: JsonSchema): DocumentNode {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs = {}, ...rest } = JSON.parse(text);
  Object.assign(components, $defs);
  return rest;
}

const json = (schema: DocumentNode): DocumentNode => ({ "application/json": { schema } });

const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** The parts of a version from which a document is written; other route tables have them too. */
type Described = Pick<Version, "name" | "title" | "forms" | "problemSchema"> & {
  readonly routes: readonly Pick<
    Route,
    "method" | "path" | "summary" | "query" | "body" | "answers" | "media"
  >[];
  /** Where its paths begin; default: its name. */
  readonly base?: string;
  /** Whether answers have rate-limit headers; default: yes. */
  readonly rates?: "shown" | "none";
};
type DescribedRoute = Described["routes"][number];

function requestBody(
  { forms }: Described,
  { body }: DescribedRoute,
  components: Components,
): DocumentNode {
  if (body === null) return {};
  const schema = inDocument(components, toJsonSchema(body, "sent"));
  const types = forms === "json" ? ["application/json"] : ["application/json", ...FORMS];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { requestBody: { required: schema.required !== undefined, content } };
}

function parameters(
  { path, query }: DescribedRoute,
  components: Components,
): readonly DocumentNode[] {
  const { properties = {}, required = [] } = toJsonSchema(query, "sent");
  return [
    ...parametersOf(path).map((name) => ({
      name,
      in: "path",
      required: true,
      description: PARAMETERS[name],
      schema: { type: "string" },
    })),
    ...Object.entries(properties).map(([name, written]) => {
      const { description, ...schema } = inDocument(components, written);
      const isRequired = (required as readonly string[]).includes(name);
      return { name, in: "query", required: isRequired, description, schema };
    }),
  ];
}

function operation(version: Described, row: DescribedRoute, components: Components): DocumentNode {
  const headers = headersOf(version);
  const answers = Object.entries(row.answers).map(([status, schema]) => {
    const description = status === "207" ? "at least one entry failed" : "success";
    if (schema === null) return [status, { description, headers }];
    const shown = inDocument(components, toJsonSchema(schema, "shown"));
    const content = row.media === undefined ? json(shown) : { [row.media]: { schema: shown } };
    return [status, { description, headers, content }];
  });
  return {
    operationId: operationId(row),
    summary: row.summary,
    parameters: parameters(row, components),
    ...requestBody(version, row, components),
    responses: {
      ...Object.fromEntries(answers),
      ...Object.fromEntries(
        Object.keys(PROBLEMS).map((status) => [
          status,
          { $ref: `#/components/responses/problem-${status}` },
        ]),
      ),
    },
  };
}

/** `getDomainsDomainAliasesId`: unique, because method and path are. */
function operationId({ method, path }: DescribedRoute): string {
  const words = path.split(/[^a-zA-Z]+/).filter((word) => word !== "");
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  return method.toLowerCase() + words.map(capital).join("");
}

function headersOf({ rates = "shown" }: Described): DocumentNode {
  return rates === "shown" ? RATE_HEADERS : {};
}

function problemResponses(version: Described, components: Components): DocumentNode {
  const { problemSchema } = version;
  const rateHeaders = headersOf(version);
  const content = json(inDocument(components, toJsonSchema(problemSchema, "shown")));
  const responses = Object.entries(PROBLEMS).map(([status, description]) => {
    const wait = { "Retry-After": header("seconds to wait") };
    const headers = status === "429" ? { ...rateHeaders, ...wait } : rateHeaders;
    return [`problem-${status}`, { description, headers, content }];
  });
  return Object.fromEntries(responses);
}

export function writeOpenApi(version: Described): DocumentNode {
  const components: Components = {};
  const paths: Record<string, DocumentNode> = {};
  for (const row of version.routes) {
    const path = row.path.replace(/:([a-z_]+)/gi, "{$1}");
    const method = row.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operation(version, row, components) };
  }
  const responses = problemResponses(version, components);
  return {
    openapi: "3.1.0",
    info: { title: version.title, version: version.name },
    servers: [{ url: `/${version.base ?? version.name}` }],
    security: [{ basic: [] }],
    paths,
    components: {
      securitySchemes: { basic: { type: "http", scheme: "basic" } },
      schemas: components,
      responses,
    },
  };
}
