/** Answers whether the process runs and whether it can work, and its metrics: for load balancers and Prometheus. */
import { LIMITS } from "../../base/limits.ts";
import type { Access } from "../control/access.ts";
import { accountRow } from "../model/account.ts";
import type { Service } from "../model/service.ts";
import { within } from "../within.ts";
import type { Metrics } from "./metrics.ts";

/** Paths of operations; the first two need no key. */
export const OPERATION_PATHS: readonly string[] = ["/healthz", "/readyz", "/metrics"];

/** Whether the store answers in time and the server is not closing. */
async function readiness(service: Service, over: AbortSignal): Promise<string> {
  if (over.aborted) return "closing";
  let answer = "the store does not answer";
  const asked = accountRow(service).then(() => {
    answer = "ready";
  });
  await within(asked, LIMITS.readyMs).catch(() => {});
  asked.catch(() => {});
  return answer;
}

/** `path` is one of `OPERATION_PATHS`. Never rejects. */
export async function answerOperations(
  service: Service,
  metrics: Metrics,
  request: Request,
  path: string,
  { access, over }: { readonly access: Access; readonly over: AbortSignal },
): Promise<Response> {
  if (path === "/healthz") return Response.json({ status: "running" });
  if (path === "/readyz") {
    const status = await readiness(service, over);
    return Response.json({ status }, { status: status === "ready" ? 200 : 503 });
  }
  const refused = access(request);
  if (refused !== null) return new Response(refused.message, { status: refused.status });
  try {
    const { type, text } = await metrics.write(service);
    return new Response(text, { headers: { "Content-Type": type } });
  } catch {
    return new Response("the store does not answer", { status: 503 });
  }
}
