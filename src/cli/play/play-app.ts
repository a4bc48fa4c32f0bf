/** What `mailflow play` serves: the page, the domain file and the messages it was opened on, and a way to save the domain. */
import { rename, writeFile } from "node:fs/promises";
import { Hono } from "hono";
import { renderDiagnostic } from "../../base/render-diagnostic.ts";
import { rehearse } from "../../rehearse/rehearsed-domain.ts";
import { fromLoopback } from "../../simulator/control/access.ts";
import { PAGE_PATHS, pageFile } from "../../simulator/control/page-files.ts";

export interface Played {
  /** Folder of the built page. */
  readonly page: string;
  /** Path of the domain file; `null`: there is none, and nothing can be saved. */
  readonly file: string | null;
  /** What the file holds, as it was read. */
  readonly domain: unknown;
  readonly mail: readonly { readonly name: string; readonly base64: string }[];
}

/** Octets of a domain file that the page may save. */
const DOMAIN_BYTES_MAX = 64 * 1024 * 1024;

/** The file takes its name when it is whole: what was there before stays, should the write fail. */
async function replaceFile(path: string, text: string): Promise<void> {
  const whole = `${path}.${process.pid}.part`;
  await writeFile(whole, text, { flag: "wx" });
  await rename(whole, path);
}

export function createPlayApp(played: Played): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    const refusal = fromLoopback(context.req.raw);
    if (refusal !== null) return context.text(refusal.message, refusal.status);
    await next();
    context.header("x-content-type-options", "nosniff");
    context.header("cache-control", "no-store");
    return undefined;
  });
  for (const path of PAGE_PATHS) app.get(path, () => pageFile(played.page, path, "play"));
  app.get("/play/state", (context) =>
    context.json({ domain: played.domain, mail: played.mail, saves: played.file !== null }),
  );
  app.put("/play/domain", async (context) => {
    if (played.file === null) return context.text("there is no file to save to", 409);
    const length = Number(context.req.header("content-length") ?? Number.NaN);
    if (!(length <= DOMAIN_BYTES_MAX)) return context.text("the domain is too large", 413);
    const text = await context.req.text();
    let config: unknown;
    try {
      config = JSON.parse(text);
    } catch (error) {
      return context.text(`not JSON: ${(error as Error).message}`, 400);
    }
    const result = rehearse(config);
    if (!result.ok) {
      const said = result.diagnostics.map((each) => renderDiagnostic(each, config));
      return context.text(said.join("\n"), 400);
    }
    try {
      await replaceFile(played.file, text);
    } catch (error) {
      return context.text(`cannot write \`${played.file}\`: ${(error as Error).message}`, 500);
    }
    return context.body(null, 204);
  });
  return app;
}
