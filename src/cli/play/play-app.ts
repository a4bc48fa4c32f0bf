/** What `mailflow play` serves: the page, the domain file and the messages it was opened on, and a way to save the domain and its tests. */
import { type Context, Hono } from "hono";
import { renderDiagnostic } from "../../base/render-diagnostic.ts";
import { rehearse } from "../../rehearse/rehearsed-domain.ts";
import { fromLoopback } from "../../simulator/control/access.ts";
import { PAGE_PATHS, pageFile } from "../../simulator/control/page-files.ts";
import { inOptions } from "../read/read-domain.ts";
import { openSuite, replaceFile } from "./play-suite.ts";

export interface Played {
  /** Folder of the built page. */
  readonly page: string;
  /** Path of the domain file; `null`: there is none, and nothing can be saved. */
  readonly file: string | null;
  /** What the file holds, as it was read. */
  readonly domain: unknown;
  readonly mail: readonly { readonly name: string; readonly base64: string }[];
}

/** Octets of a domain file, or of a test, that the page may save. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The body, or why it is not taken. */
async function bodyOf(context: Context): Promise<{ text: string } | Response> {
  const length = Number(context.req.header("content-length") ?? Number.NaN);
  if (!(length <= BODY_BYTES_MAX)) return context.text("that is too large to save", 413);
  return { text: await context.req.text() };
}

async function saved(
  context: Context,
  work: () => Promise<void>,
  file: string,
  otherwise: 409 | 500,
): Promise<Response> {
  try {
    await work();
    return context.body(null, 204);
  } catch (error) {
    return context.text(`cannot write \`${file}\`: ${(error as Error).message}`, otherwise);
  }
}

export function createPlayApp(played: Played): Hono {
  const app = new Hono();
  const suite = played.file === null ? null : openSuite(played.file);
  let { domain } = played;
  app.use(async (context, next) => {
    const refusal = fromLoopback(context.req.raw);
    if (refusal !== null) return context.text(refusal.message, refusal.status);
    await next();
    context.header("x-content-type-options", "nosniff");
    context.header("cache-control", "no-store");
    return undefined;
  });
  for (const path of PAGE_PATHS) app.get(path, () => pageFile(played.page, path, "play"));
  app.get("/play/state", async (context) => {
    const { tests, problem } = (await suite?.read()) ?? { tests: [], problem: "" };
    const ofSuite = { suite: suite?.name ?? "", tests, suiteProblem: problem };
    return context.json({ domain, mail: played.mail, ...ofSuite });
  });
  app.put("/play/domain", async (context) => {
    const { file } = played;
    if (file === null) return context.text("there is no file to save to", 409);
    const body = await bodyOf(context);
    if (body instanceof Response) return body;
    let config: unknown;
    try {
      config = JSON.parse(body.text);
    } catch (error) {
      return context.text(`not JSON: ${(error as Error).message}`, 400);
    }
    const result = rehearse(config);
    if (!result.ok) {
      const told = result.diagnostics.map((each) => inOptions(each, "fixed"));
      const said = told.map((each) => renderDiagnostic(each, config));
      return context.text(said.join("\n"), 400);
    }
    const answer = await saved(context, () => replaceFile(file, body.text), file, 500);
    if (answer.ok) domain = config;
    return answer;
  });
  app.post("/play/tests", async (context) => {
    if (suite === null) return context.text("there is no file beside which tests could be", 409);
    const body = await bodyOf(context);
    if (body instanceof Response) return body;
    return saved(context, async () => suite.add(JSON.parse(body.text)), suite.name, 409);
  });
  app.delete("/play/tests", async (context) => {
    if (suite === null) return context.text("there is no file with tests", 409);
    return saved(context, () => suite.drop(context.req.query("name") ?? ""), suite.name, 409);
  });
  return app;
}
