/** What `mailflow play` serves: the page, the domain file and the messages it was opened on, and a way to save the domain. */
import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { renderDiagnostic } from "../../base/render-diagnostic.ts";
import { rehearse } from "../../rehearse/rehearsed-domain.ts";
import { fromLoopback } from "../../simulator/control/access.ts";

export interface Played {
  /** Folder of the built page. */
  readonly page: string;
  /** Path of the domain file; `null`: there is none, and nothing can be saved. */
  readonly file: string | null;
  /** What the file holds, as it was read. */
  readonly domain: unknown;
  readonly mail: readonly { readonly name: string; readonly base64: string }[];
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
    context.header("content-security-policy", POLICY);
    context.header("x-content-type-options", "nosniff");
    context.header("cache-control", "no-store");
    return undefined;
  });
  const file = (name: string, text: string): Response =>
    new Response(text, { headers: { "content-type": TYPES[name.split(".").at(-1)!]! } });
  app.get("/", () => {
    const html = readFileSync(join(played.page, "index.html"), "utf8");
    return file("index.html", html.replace("<html ", "<html data-play "));
  });
  for (const name of ["page.js", "page.css"]) {
    app.get(`/${name}`, () => file(name, readFileSync(join(played.page, name), "utf8")));
  }
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
