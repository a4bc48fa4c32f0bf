/** Reads forms of version 3's clients, urlencoded or multipart, as the fields of the same body in JSON. */
import { LIMITS } from "../../../base/limits.ts";
import { fieldProblem, ServiceProblem } from "../../model/problem.ts";
import type { FieldReader, SentFields } from "./read-fields.ts";
import { fromTexts } from "./text-fields.ts";

async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw new ServiceProblem(400, "the body is not the form that its Content-Type says: send JSON");
  }
}

/** Text for each field; lists by repeating a field, objects as JSON. */
// ASSUMPTION(form-fields): in a form, numbers, flags, lists and objects are written as in JSON, lists also field by field
export async function readForm(
  reader: FieldReader,
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<SentFields> {
  const form = await parseForm(bytes, type);
  const entries: [string, string][] = [];
  for (const [name, value] of form) {
    if (typeof value !== "string") {
      throw fieldProblem({ [name]: ["a file is not a value here: send the field as text"] });
    }
    if (entries.push([name, value]) > LIMITS.formFieldsMax) {
      const message = `the form has too many fields: at most ${LIMITS.formFieldsMax} are allowed`;
      throw new ServiceProblem(400, message);
    }
  }
  return fromTexts(reader, entries);
}
