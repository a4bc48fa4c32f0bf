/** What a request to the control plane says, checked; what is wrong with it is told with its path. */
import { z } from "zod";
import { formatPath, type Path } from "../base/diagnostic.ts";
import { LIMITS } from "../base/limits.ts";
import { type FieldErrors, ServiceProblem } from "../service/problem.ts";

async function readText(request: Request): Promise<string> {
  const max = LIMITS.controlBodyBytesMax;
  const tooLarge = new ServiceProblem(413, `the body is too large: at most ${max} octets are read`);
  if (Number(request.headers.get("content-length") ?? 0) > max) throw tooLarge;
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.length;
    if (length > max) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The JSON of the body; `{}` when it is empty. */
async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceProblem(400, `the body is not JSON: ${(error as Error).message}`);
  }
}

/** Messages by path; each field that is not known has its own. */
function errorsOf(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: Record<string, readonly string[]> = {};
  for (const issue of issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    const paths = keys.length > 0 ? keys.map((key) => [...issue.path, key]) : [issue.path];
    const said = issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
    for (const path of paths) {
      const field = formatPath(path as Path);
      const message = keys.length > 0 ? "not a field of this request: remove it" : said;
      errors[field] = [...(errors[field] ?? []), message];
    }
  }
  return errors;
}

function checked<Input>(schema: z.ZodType<Input>, value: unknown): Input {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const errors = errorsOf(read.error.issues);
  const [field, [message]] = Object.entries(errors)[0]! as [string, readonly string[]];
  const said = field === formatPath([]) ? message! : `\`${field}\`: ${message}`;
  throw new ServiceProblem(400, said, errors);
}

export async function readBody<Input>(request: Request, schema: z.ZodType<Input>): Promise<Input> {
  return checked(schema, await readJson(request));
}

export function readQuery<Input>(request: Request, schema: z.ZodType<Input>): Input {
  const { searchParams } = new URL(request.url);
  return checked(schema, Object.fromEntries(searchParams));
}

/** A whole number in a query, where everything is text. */
export function queryNumber(min: number, max: number): z.ZodType<number> {
  const message = `give a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}
