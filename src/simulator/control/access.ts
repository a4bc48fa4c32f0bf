/**
 * Who may control the simulator. Browsers send any page's requests to 127.0.0.1, and a page can make its own host name
 * resolve to it, so Host and Origin are checked. Requests from other machines need the API key.
 */

export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Why a request is refused, or `null`. */
export type Access = (request: Request) => Refusal | null;

/** Whether a server on this host name or address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  const isName = name === "localhost" || name.endsWith(".localhost");
  return isName || /^127(?:\.\d{1,3}){3}$/.test(name) || name === "::1";
}

function refuseOtherPages({ headers }: Request): Refusal | null {
  const host = headers.get("host") ?? "";
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site") ?? "none";
  const isOwn =
    origin === null || origin.replace(/^https?:\/\//, "").toLowerCase() === host.toLowerCase();
  if (isOwn && (site === "none" || site === "same-origin")) return null;
  const shown = origin === null ? "" : ` (\`${origin}\`)`;
  return { status: 403, message: `a page of another origin${shown} may not use the control plane` };
}

/** Allows programs of this machine, and pages served from here. In-process requests have no Host and are always allowed. */
export const fromLoopback: Access = (request) => {
  const host = request.headers.get("host");
  if (host === null) return refuseOtherPages(request);
  if (isLoopback(host.replace(/:\d*$/, ""))) return refuseOtherPages(request);
  return { status: 403, message: `the host \`${host}\` is not this machine: use \`localhost\`` };
};

/** Allows everyone with the key. */
export function withKey(isAuthentic: (authorization: string | null) => boolean): Access {
  return (request) => {
    if (isAuthentic(request.headers.get("authorization"))) return refuseOtherPages(request);
    const message = "the control plane asks for the API key beyond this machine: use Basic `api`";
    return { status: 401, message };
  };
}
