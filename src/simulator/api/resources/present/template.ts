/** Send templates as they are shown, whole and in lists (API v4 §2 Template, §4 Send templates). */
import { z } from "zod";
import type { TemplateRow } from "../../../model/records.ts";
import { field, type Presenter, presenter } from "../../presenter.ts";
import { isoSeconds, isoTimestamp } from "../../timestamps.ts";

const name = field(z.string(), (row: TemplateRow) => row.name);
const description = field(z.string(), (row: TemplateRow) => row.description);
const subject = field(z.string(), (row: TemplateRow) => row.subject);
const createdAt = field(isoTimestamp, (row: TemplateRow) => isoSeconds(row.createdMs));
const updatedAt = field(isoTimestamp, (row: TemplateRow) => isoSeconds(row.updatedMs));

export const TEMPLATE: Presenter<TemplateRow> = presenter("v4.Template", {
  name,
  description,
  subject,
  html_body: field(z.string(), (row) => row.htmlBody),
  text_body: field(z.string(), (row) => row.textBody),
  created_at: createdAt,
  updated_at: updatedAt,
});

export const TEMPLATE_SUMMARY: Presenter<TemplateRow> = presenter("v4.TemplateSummary", {
  name,
  description,
  subject,
  created_at: createdAt,
  updated_at: updatedAt,
});
