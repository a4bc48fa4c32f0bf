/** The DNS of this system, for domains that are really registered. */
import { Resolver } from "node:dns/promises";
import { LIMITS } from "../../base/limits.ts";
import type { Dns } from "../model/service.ts";

const ABSENT: ReadonlySet<string | undefined> = new Set(["ENODATA", "ENOTFOUND"]);

/** No such record is an empty answer; a server that fails rejects. */
async function orNone(lookup: Promise<readonly string[]>): Promise<readonly string[]> {
  return lookup.catch((error: NodeJS.ErrnoException) => {
    if (ABSENT.has(error.code)) return [];
    throw error;
  });
}

/** Asks the name servers of this system, or the given ones (`127.0.0.1:53`). */
export function createSystemDns(servers?: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: LIMITS.dnsTimeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return {
    mx: (name) =>
      orNone(
        resolver
          .resolveMx(name)
          .then((found) =>
            found.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange),
          ),
      ),
    // A record may be split into pieces of 255 octets (RFC 7208 §3.3).
    txt: (name) =>
      orNone(resolver.resolveTxt(name).then((found) => found.map((pieces) => pieces.join("")))),
    cname: (name) => orNone(resolver.resolveCname(name)),
  };
}
