/** Where in the page a person is; the address follows, so that back, forward and links work. */
import { signal } from "@preact/signals";
import { hashOf, type Place, readPlace, type ViewName } from "./model/place.ts";

export const place = signal<Place>({ view: "rules", id: null });

export function go(view: ViewName, id: string | null = null): void {
  const next = { view, id };
  place.value = next;
  if (location.hash !== hashOf(next)) history.pushState(null, "", hashOf(next));
}

export function watchAddress(): void {
  const follow = (): void => {
    const found = readPlace(location.hash);
    if (found !== null) place.value = found;
  };
  follow();
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}
