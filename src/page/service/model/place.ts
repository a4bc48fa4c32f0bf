/** Which view is shown, and of what: the part of the address behind `#`. */
export const VIEWS = ["rules", "inbox", "logs", "domain", "sending", "control"] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Place {
  readonly view: ViewName;
  /** The message or log entry that is open; `null`: none. */
  readonly id: string | null;
}

/** Reads `#inbox/ID`; `null` if the text is not a view, for example an anchor within one. */
export function readPlace(hash: string): Place | null {
  const [, name = "", id] = /^#([a-z]+)(?:\/([\w-]+))?$/.exec(hash) ?? [];
  const view = VIEWS.find((each) => each === name);
  return view === undefined ? null : { view, id: id ?? null };
}

export function hashOf({ view, id }: Place): string {
  return id === null ? `#${view}` : `#${view}/${id}`;
}

/** The key in an address that `mailflow serve` printed; `null` if there is none. */
export function keyIn(hash: string): string | null {
  const packed = /^#key=([^&]+)$/.exec(hash)?.[1];
  return packed === undefined ? null : decodeURIComponent(packed);
}
