/** Answers one request: for the control plane below `/_sim`, the page at `/`, or the API. */

import type { Assembly } from "./assemble.ts";
import type { Access } from "./control/access.ts";
import { answerControl, CONTROL_PATH } from "./control/app.ts";
import { answerPage, PAGE_PATHS } from "./control/page-files.ts";
import { answerOperations, OPERATION_PATHS } from "./operations/answer-operations.ts";

/** How a request arrived: `access` decides who may use the control plane, and `over` ends requests that wait. */
export interface Entrance {
  readonly access: Access;
  readonly over: AbortSignal;
  /** Folder of the built page; default: no page. */
  readonly page?: string | undefined;
}

/** Settles the simulator right after the answer, before the event loop starts work that the request left. */
async function settled(assembly: Assembly, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await assembly.settle();
  return response;
}

async function watched(
  { metrics, settings: { journal } }: Assembly,
  { method }: Request,
  path: string,
  work: () => Promise<Response>,
): Promise<Response> {
  const began = performance.now();
  const response = await work();
  const seconds = (performance.now() - began) / 1_000;
  metrics.answered(method, response.status, seconds);
  journal?.answered(method, path, response.status, seconds);
  return response;
}

/** The path of a request's URL, which `Request` has made absolute and normal. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + "://".length);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

export function answer(
  assembly: Assembly,
  request: Request,
  { access, over, page }: Entrance,
): Promise<Response> {
  const { control, restoreFrom, spoolSnapshot, parts, settings } = assembly;
  const pathname = pathOf(request.url);
  if (pathname === CONTROL_PATH || pathname.startsWith(`${CONTROL_PATH}/`)) {
    const { onDefect } = settings;
    return settled(
      assembly,
      answerControl({ control, restoreFrom, spoolSnapshot, parts, over }, request, {
        access,
        onDefect,
      }),
    );
  }
  if (OPERATION_PATHS.includes(pathname)) {
    const entrance = { access, over };
    return answerOperations(parts.service, assembly.metrics, request, pathname, entrance);
  }
  return watched(assembly, request, pathname, async () =>
    page !== undefined && request.method === "GET" && PAGE_PATHS.includes(pathname)
      ? answerPage(page, request, access)
      : record(assembly, request),
  );
}

/** Records requests for the control plane, except those of the page itself. */
function record(assembly: Assembly, request: Request): Promise<Response> {
  const { parts, api } = assembly;
  if (request.headers.get("sec-fetch-site") === "same-origin") {
    return settled(assembly, api.fetch(request));
  }
  return parts.requests.record(request, parts.clock.nowMs, () =>
    settled(assembly, api.fetch(request)),
  );
}
