/** Holds an answer to the OpenAPI document: the path, the status, the headers and the body must be in it. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { Api } from "../../../src/simulator/api/app.ts";
import type { Answer, Fields } from "./fixture.ts";

interface ResponseObject {
  readonly headers: Readonly<Record<string, { readonly required: boolean }>>;
  readonly content?: { readonly "application/json": { readonly schema: Fields } };
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Fields>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
  };
}

interface Document {
  readonly document: OpenApiDocument;
  readonly validate: (schema: Fields) => ValidateFunction;
}

/** By version; every API in a run has the same. */
const documents = new Map<string, Document>();

async function documentOf(api: Pick<Api, "fetch">, version: string): Promise<Document> {
  const kept = documents.get(version);
  if (kept !== undefined) return kept;
  const response = await api.fetch(new Request(`http://api.test/${version}/openapi.json`));
  const document = (await response.json()) as OpenApiDocument;
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false });
  const compiled = new Map<Fields, ValidateFunction>();
  const made: Document = {
    document,
    validate(schema) {
      const known = compiled.get(schema);
      if (known !== undefined) return known;
      const whole = { ...schema, $defs: document.components.schemas };
      const text = JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/');
      const validate = ajv.compile(JSON.parse(text));
      compiled.set(schema, validate);
      return validate;
    },
  };
  documents.set(version, made);
  return made;
}

/** The path of the document that a request's path is of; literal segments go before parameters. */
function templateOf({ document }: Document, path: string): string | undefined {
  const segments = path.split("/");
  const fits = (template: string): boolean => {
    const parts = template.split("/");
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith("{") || part === segments[index])
    );
  };
  const parameters = (template: string): number => template.split("{").length;
  const found = Object.keys(document.paths).filter(fits);
  return found.sort((a, b) => parameters(a) - parameters(b))[0];
}

function responseOf(
  document: OpenApiDocument,
  operation: Operation,
  status: number,
): ResponseObject {
  const response = operation.responses[String(status)];
  expect(response, `${operation.operationId} has no status ${status}`).toBeDefined();
  if (response === undefined || !("$ref" in response)) return response!;
  return document.components.responses[response.$ref.replace("#/components/responses/", "")]!;
}

export async function holdToDocument(
  api: Pick<Api, "fetch">,
  { method, path: sent }: { readonly method: string; readonly path: string },
  { status, headers, text, body }: Answer,
): Promise<void> {
  const [, version = "", path = ""] = /^\/(v[34])(\/[^?#]*?)\/?(?:[?#].*)?$/.exec(sent) ?? [];
  if (path === "" || status === 405 || path === "/openapi.json") return;
  const known = await documentOf(api, version);
  const template = templateOf(known, path);
  const operation = template && known.document.paths[template]?.[method.toLowerCase()];
  if (!operation) return;
  const key = `${version} ${method} ${template}`;
  const response = responseOf(known.document, operation, status);
  for (const [name, { required }] of Object.entries(response.headers)) {
    if (required) expect(headers.get(name), `${key} ${status} ${name}`).toMatch(/^\d+$/);
  }
  if (response.content === undefined) return expect(text).toBe("");
  expect(headers.get("content-type")).toBe("application/json");
  const validate = known.validate(response.content["application/json"].schema);
  expect(validate(body) ? [] : validate.errors, `${key} ${status} ${text}`).toEqual([]);
}
