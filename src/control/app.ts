/** The control plane over HTTP: everything under `/_sim/`, from a request to its response. */
import { formatPath } from "../base/diagnostic.ts";
import { ServiceProblem } from "../service/problem.ts";
import type { Access } from "./access.ts";
import type { ControlRoute, Desk } from "./route.ts";
import { MAIL_ROUTES } from "./routes-mail.ts";
import { STATE_ROUTES } from "./routes-state.ts";

export const CONTROL_PATH = "/_sim";

const INDEX: ControlRoute = {
  method: "GET",
  path: "/",
  summary: "this table",
  takes: [],
  answer: async () => ({
    endpoints: CONTROL_ROUTES.map(({ method, path, summary, takes }) => ({
      method,
      path: CONTROL_PATH + path,
      takes,
      summary,
    })),
  }),
};

/** Every endpoint; `GET /_sim/` shows it. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [INDEX, ...STATE_ROUTES, ...MAIL_ROUTES];

/** The parameter of the path where it is one of the row's, `null` where it is not. */
function parameterOf(row: ControlRoute, path: string): string | null {
  const at = row.path.indexOf(":");
  if (at < 0) return path === row.path ? "" : null;
  const parameter = path.slice(at);
  return path.startsWith(row.path.slice(0, at)) && /^[^/]+$/.test(parameter) ? parameter : null;
}

interface ErrorEntry {
  /** Where in the request, such as `domains[0].rules[2].config.regex`; `""`: all of it. */
  readonly path: string;
  readonly message: string;
}

/** How paths of nothing but the request itself are written elsewhere. */
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

async function answerRow(
  desk: Desk,
  row: ControlRoute,
  request: Request,
  parameter: string,
): Promise<Response> {
  const answer = await row.answer(desk, request, parameter);
  if (answer === undefined) return new Response(null, { status: 204 });
  return answer instanceof Response ? answer : Response.json(answer);
}

/** From whom a request may come, and who is told of defects. */
export interface Visit {
  readonly access: Access;
  readonly onDefect: (defect: unknown) => void;
}

/** Never rejects; the request is below `CONTROL_PATH`. */
export async function answerControl(
  desk: Desk,
  request: Request,
  { access, onDefect }: Visit,
): Promise<Response> {
  const refused = access(request);
  if (refused !== null) return refuse(refused.status, refused.message);
  const { pathname } = new URL(request.url);
  const path = pathname.slice(CONTROL_PATH.length).replace(/(?<=.)\/$/, "") || "/";
  const rows = CONTROL_ROUTES.filter((row) => parameterOf(row, path) !== null);
  const row = rows.find(({ method }) => method === request.method);
  if (row === undefined) {
    const methods = rows.map(({ method }) => method).join(", ");
    return rows.length === 0
      ? refuse(404, `no endpoint \`${pathname}\`: \`GET ${CONTROL_PATH}/\` lists them`)
      : refuse(405, `\`${request.method}\` is not a method of this path: use ${methods}`);
  }
  try {
    return await answerRow(desk, row, request, parameterOf(row, path)!);
  } catch (thrown) {
    if (thrown instanceof ServiceProblem) return refusalOf(thrown);
    onDefect(thrown);
    return refuse(500, thrown instanceof Error ? thrown.message : String(thrown));
  }
}
