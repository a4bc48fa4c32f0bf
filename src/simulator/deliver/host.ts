/** The host that answers for a destination: what slots and circuits are kept for. */
import { splitAddress } from "../../engine/facts/address.ts";
import type { Parcel, Service } from "../model/service.ts";

/** The domain of a mailbox, the origin of a URL, or the relay that all mail goes to. */
export function hostOf(
  { outbound }: Pick<Service, "outbound">,
  { kind, destination }: Pick<Parcel, "kind" | "destination">,
): string {
  const known = outbound.hostOf?.(kind);
  if (known !== undefined) return known;
  return kind === "mailbox" ? splitAddress(destination).domain : new URL(destination).origin;
}
