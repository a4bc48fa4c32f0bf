/** The host of a destination, for which slots and circuits are kept. */
import { splitAddress } from "../../engine/facts/address.ts";
import type { Parcel, Service } from "../model/service.ts";

/** The domain of a mailbox, the origin of a URL, or the relay for all mail. */
export function hostOf(
  { outbound }: Pick<Service, "outbound">,
  { kind, destination }: Pick<Parcel, "kind" | "destination">,
): string {
  const known = outbound.hostOf?.(kind);
  if (known !== undefined) return known;
  return kind === "mailbox" ? splitAddress(destination).domain : new URL(destination).origin;
}
