/** Serves the three files of the built page, for `mailflow serve` and `mailflow play`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Access, fromLoopback } from "./access.ts";

const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  "/": { name: "index.html", type: "text/html" },
  "/page.js": { name: "page.js", type: "text/javascript" },
  "/page.css": { name: "page.css", type: "text/css" },
};

export const PAGE_PATHS: readonly string[] = Object.keys(FILES);

/** How the page is opened: on files, on a service that needs its key, or on a service where the browser has signed in. */
export type PageMode = "play" | "service" | "service-signed-in";

/**
 * Mail is shown in a sandboxed frame whose document inherits this policy, so a service allows inline styles. Frames load nothing.
 */
function policyOf(mode: PageMode): string {
  const style = mode === "play" ? "'self'" : "'self' 'unsafe-inline'";
  const load = `script-src 'self'; style-src ${style}; img-src 'self' data:; connect-src 'self'`;
  return `default-src 'none'; ${load}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/**
 * The folder of the page: beside the built command, or where the build puts it when running from source. `null` if it is not
 * built.
 */
export function findPage(): string | null {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const folders = [join(here, "page"), join(here, "../../../dist/page")];
  return folders.find((folder) => existsSync(join(folder, "index.html"))) ?? null;
}

/** One of the files of `PAGE_PATHS`. */
export function pageFile(folder: string, path: string, mode: PageMode): Response {
  const { name, type } = FILES[path]!;
  const text = readFileSync(join(folder, name), "utf8");
  const body =
    path !== "/"
      ? text
      : text
          .replace("<html ", `<html data-opened="${mode}" `)
          // The header has the policy; two would both have to allow.
          .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>\n/, "");
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": policyOf(mode),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
  return new Response(body, { headers });
}

/** The page of a service, for everyone who may use the control plane; if that needs the key, the browser asks for it. */
export function answerPage(folder: string, request: Request, access: Access): Response {
  const refused = access(request);
  if (refused === null) {
    const mode = access === fromLoopback ? "service" : "service-signed-in";
    return pageFile(folder, new URL(request.url).pathname, mode);
  }
  const headers = refused.status === 401 ? { "www-authenticate": 'Basic realm="mailflow"' } : {};
  return new Response(refused.message, { status: refused.status, headers });
}
