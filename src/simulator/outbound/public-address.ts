/** Decides which addresses a webhook may have: tenants must not reach the service's own network. */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** A public address by its range, but in fact a cloud provider's agent on the host. */
const HOST_AGENTS: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The assigned part of IPv6 (RFC 4291 §2.4): `2000::/3`. Other blocks contain IPv4 addresses, or are not assigned. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Whether an IP address is on the public internet: not loopback, private, link-local, mapped, compatible, or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && !parsed.match(GLOBAL_IPV6)) return false;
  return parsed.range() === "unicast" && !HOST_AGENTS.has(parsed.toString());
}

export class RefusedTargetError extends Error {
  constructor(host: string) {
    super(`\`${host}\` is not on the public internet`);
    this.name = "RefusedTargetError";
  }
}

type Resolver = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Throws for a host written as a forbidden address; names are checked when they are looked up. */
export function assertPublicHost(hostname: string): void {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0 && !isPublicAddress(bare)) throw new RefusedTargetError(bare);
}

/**
 * A `lookup` for a connection, which then uses exactly these addresses, so a name that later resolves differently changes
 * nothing. A name with one address that is not public is refused.
 */
export function publicLookup(resolver: Resolver = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolver(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "");
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new RefusedTargetError(hostname), "");
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
