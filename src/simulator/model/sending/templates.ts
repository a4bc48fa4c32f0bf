/** Send templates of a domain (API v4 §2 Template, §7 Template errors). */
import { LIMITS } from "../../../base/limits.ts";
import { requirePaid } from "../account.ts";
import { change } from "../change.ts";
import { getDomain } from "../domains/domains.ts";
import { fieldProblem, found, refuseFields, ServiceProblem } from "../problem.ts";
import { TEMPLATES, type TemplateRow } from "../records.ts";
import type { Service } from "../service.ts";
import { laterThan } from "../updated-at.ts";
import { mustacheProblem } from "./mustache-text.ts";

/** All of them, by name. */
export async function listTemplates(
  service: Service,
  domain: string,
): Promise<readonly TemplateRow[]> {
  const row = await getDomain(service, domain);
  const order = { column: "name", direction: "asc" } as const;
  const limit = LIMITS.templatesMax;
  return service.store.table(TEMPLATES).find({ where: { domain: row.domain }, order, limit });
}

const keyOf = (domain: string, name: string): string => `${domain}/${name}`;

export async function getTemplate(
  service: Service,
  domain: string,
  name: string,
): Promise<TemplateRow> {
  const { domain: of } = await getDomain(service, domain);
  return found(await service.store.table(TEMPLATES).get(keyOf(of, name)), "template");
}

/** Values as clients send them. An absent value (`undefined`) is empty in a new template, and does not change on an update. */
export interface TemplateInput {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly subject?: unknown;
  readonly html_body?: unknown;
  readonly text_body?: unknown;
}

type Texts = Pick<TemplateRow, "name" | "description" | "subject" | "htmlBody" | "textBody">;

interface TemplateField {
  readonly column: keyof Texts;
  readonly unitsMax: number;
  /** Any other problem of a text, or `null`. */
  check(text: string): string | null;
}

const NAME = /^[a-z0-9][a-z0-9_-]*$/;

function nameProblem(name: string): string | null {
  if (NAME.test(name)) return null;
  return "`name` is not a template's name: use lowercase letters, digits, `-` and `_`, a letter or digit first";
}

const anyText = (): null => null;

const FIELDS: Readonly<Record<keyof TemplateInput, TemplateField>> = {
  name: { column: "name", unitsMax: LIMITS.templateNameUnitsMax, check: nameProblem },
  description: {
    column: "description",
    unitsMax: LIMITS.templateDescriptionUnitsMax,
    check: anyText,
  },
  subject: { column: "subject", unitsMax: LIMITS.templateSubjectUnitsMax, check: mustacheProblem },
  html_body: { column: "htmlBody", unitsMax: LIMITS.templateBodyUnitsMax, check: mustacheProblem },
  text_body: { column: "textBody", unitsMax: LIMITS.templateBodyUnitsMax, check: mustacheProblem },
};

function fieldError(
  name: string,
  value: unknown,
  { unitsMax, check }: TemplateField,
): string | null {
  if (typeof value !== "string") return `\`${name}\` is not a string: give one`;
  if (value.length <= unitsMax) return check(value);
  return `\`${name}\` has ${value.length} characters: at most ${unitsMax} are allowed`;
}

/** `texts` with the values of `input`; throws 400 with the errors of all fields. */
function withInput(texts: Texts, input: TemplateInput): Texts {
  const errors: Record<string, string[]> = {};
  const columns: Partial<Record<keyof Texts, string>> = {};
  for (const [name, field] of Object.entries(FIELDS)) {
    const value = input[name as keyof TemplateInput];
    if (value === undefined) continue;
    const message = fieldError(name, value, field);
    if (message === null) columns[field.column] = value as string;
    else errors[name] = [message];
  }
  refuseFields(errors);
  return { ...texts, ...columns };
}

const EMPTY: Texts = { name: "", description: "", subject: "", htmlBody: "", textBody: "" };

async function refuseTaken(service: Service, domain: string, name: string): Promise<void> {
  if ((await service.store.table(TEMPLATES).get(keyOf(domain, name))) === undefined) return;
  const message = `\`${name}\` is already the name of a template: choose another`;
  throw fieldProblem({ name: [message] });
}

/** Call it inside a transaction. */
export async function addTemplate(
  service: Service,
  domain: string,
  input: TemplateInput,
): Promise<TemplateRow> {
  if (input.name === undefined) throw fieldProblem({ name: ["`name` is missing: give one"] });
  const texts = withInput(EMPTY, input);
  await refuseTaken(service, domain, texts.name);
  const table = service.store.table(TEMPLATES);
  if ((await table.count({ where: { domain } })) >= LIMITS.templatesMax) {
    const message = `a domain has at most ${LIMITS.templatesMax} templates: delete one first`;
    throw new ServiceProblem(400, message);
  }
  const nowMs = service.clock.nowMs();
  const key = keyOf(domain, texts.name);
  const row: TemplateRow = { key, domain, ...texts, createdMs: nowMs, updatedMs: nowMs };
  await table.insert(row);
  return row;
}

// ASSUMPTION(templates-paid): creating a template needs a paid plan; existing ones can be seen, changed and deleted on any plan
export function createTemplate(
  service: Service,
  domain: string,
  input: TemplateInput,
): Promise<TemplateRow> {
  return change(service, domain, "templates", async () => {
    const row = await getDomain(service, domain);
    await requirePaid(service, "creating a template");
    return addTemplate(service, row.domain, input);
  });
}

/** A new name renames it. */
export function updateTemplate(
  service: Service,
  domain: string,
  name: string,
  input: TemplateInput,
): Promise<TemplateRow> {
  return change(service, domain, "templates", async () => {
    const row = await getTemplate(service, domain, name);
    const texts = withInput(row, input);
    const key = keyOf(row.domain, texts.name);
    const changed: TemplateRow = {
      ...row,
      ...texts,
      key,
      updatedMs: laterThan(row.updatedMs, service),
    };
    const table = service.store.table(TEMPLATES);
    if (key === row.key) {
      await table.replace(changed);
    } else {
      await refuseTaken(service, row.domain, texts.name);
      await table.delete(row.key);
      await table.insert(changed);
    }
    return changed;
  });
}

export function deleteTemplate(service: Service, domain: string, name: string): Promise<void> {
  return change(service, domain, "templates", async () => {
    const { key } = await getTemplate(service, domain, name);
    await service.store.table(TEMPLATES).delete(key);
  });
}
