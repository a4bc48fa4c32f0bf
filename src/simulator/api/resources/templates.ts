/** Version 4's send templates (API v4 §4 Send templates). */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "../../model/sending/templates.ts";
import { NO_CONTENT, ok, type Route, route } from "../route.ts";
import { TEMPLATE, TEMPLATE_SUMMARY } from "./present/template.ts";

const oneTemplate = z.strictObject({ template: TEMPLATE.schema });

/** The operations check the lengths of texts; here the document states them. */
function words(description: string, unitsMax: number): z.ZodString {
  return z.string().meta({ description, maxLength: unitsMax });
}

const name = words(
  "lowercase letters, digits, `-` and `_`, a letter or digit first",
  LIMITS.templateNameUnitsMax,
);

const TEXTS = {
  description: words("what it is for", LIMITS.templateDescriptionUnitsMax).optional(),
  subject: words("default subject, Mustache", LIMITS.templateSubjectUnitsMax).optional(),
  html_body: words("HTML, Mustache", LIMITS.templateBodyUnitsMax).optional(),
  text_body: words("plain text, Mustache", LIMITS.templateBodyUnitsMax).optional(),
};

export const TEMPLATES_V4: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains/:domain/templates",
    summary: "List send templates",
    answers: { 200: z.strictObject({ templates: z.array(TEMPLATE_SUMMARY.schema) }) },
    async handle(service, { params }) {
      const rows = await listTemplates(service, params.domain);
      return ok({ templates: rows.map(TEMPLATE_SUMMARY.present) });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/templates/:name",
    summary: "Get a send template",
    answers: { 200: oneTemplate },
    async handle(service, { params }) {
      const row = await getTemplate(service, params.domain, params.name);
      return ok({ template: TEMPLATE.present(row) });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/templates",
    summary: "Add a send template (paid plans)",
    body: z.object({ name, ...TEXTS }),
    answers: { 200: oneTemplate },
    async handle(service, { params, body }) {
      return ok({ template: TEMPLATE.present(await createTemplate(service, params.domain, body)) });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain/templates/:name",
    summary: "Change a send template; a new name renames it",
    body: z.object({ name: name.optional(), ...TEXTS }),
    answers: { 200: oneTemplate },
    async handle(service, { params, body }) {
      const row = await updateTemplate(service, params.domain, params.name, body);
      return ok({ template: TEMPLATE.present(row) });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain/templates/:name",
    summary: "Delete a send template",
    answers: { 204: null },
    async handle(service, { params }) {
      await deleteTemplate(service, params.domain, params.name);
      return NO_CONTENT;
    },
  }),
];
