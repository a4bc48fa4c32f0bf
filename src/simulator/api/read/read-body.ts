/** Reads a request's body: bounded, as UTF-8, and as the fields of its JSON or its form. */
import { joinOctets } from "../../../base/join-octets.ts";
import { isRecord } from "../../../engine/routing/config/config-fields.ts";
import { ServiceProblem } from "../../model/problem.ts";
import { withStoredTexts } from "../../store/stored-value.ts";
import { exchangeOf } from "../exchange.ts";
import { readForm } from "./form-body.ts";
import { parseJson } from "./parse-json.ts";
import type { FieldReader, SentFields } from "./read-fields.ts";

// ASSUMPTION(body-too-large): a body beyond the limit is refused with 413 before it is read whole
function tooLarge(bytesMax: number): ServiceProblem {
  return new ServiceProblem(413, `the body is too large: at most ${bytesMax} octets are allowed`);
}

/** Stops reading as soon as there is too much. */
async function readStream(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Takes half the time of an asynchronous iteration.
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > bytesMax) {
      reader.cancel().catch(() => {});
      throw tooLarge(bytesMax);
    }
    chunks.push(next.value);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array<ArrayBuffer>) : joinOctets(chunks);
}

/** A body of declared length is read at once: servers enforce the length, and streams are slow. */
async function readDeclared(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > bytesMax) throw tooLarge(bytesMax);
  return bytes;
}

/** The octets; throws 413 before reading if the request declares too many. */
async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax);
  try {
    if (declared !== null) return await readDeclared(request, bytesMax);
    return request.body === null ? new Uint8Array() : await readStream(request.body, bytesMax);
  } catch (thrown) {
    if (thrown instanceof ServiceProblem) throw thrown;
    throw new ServiceProblem(400, "the body ended before it was whole: send it again");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ServiceProblem(400, "the body is not UTF-8: encode it as such");
  }
}

function asFields(value: unknown): SentFields {
  if (isRecord(value)) return withStoredTexts(value) as SentFields;
  throw new ServiceProblem(400, "the body is not a JSON object: give the fields in one");
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/** Command-line clients send JSON as a form by default; no form of this API begins with a bracket. */
function beginsLikeJson(bytes: Uint8Array): boolean {
  return /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
}

export type BodyForms = "json" | "json or form";

/** The fields of the body; none if it is empty. */
// ASSUMPTION(content-type): version 4 reads every body as JSON, whatever its Content-Type; so does version 3, except for forms that do not begin like JSON
export async function readBody(
  request: Request,
  reader: FieldReader,
  { forms, bytesMax }: { readonly forms: BodyForms; readonly bytesMax: number },
): Promise<SentFields> {
  const bytes = await readBytes(request, bytesMax);
  const exchange = exchangeOf(request);
  if (exchange !== undefined) exchange.sent = bytes;
  const type = request.headers.get("content-type") ?? "";
  const isForm = forms !== "json" && FORM.test(type) && !beginsLikeJson(bytes);
  if (isForm) return asFields(await readForm(reader, bytes, type));
  const text = decode(bytes);
  return text.trim() === "" ? {} : asFields(parseJson(text));
}
