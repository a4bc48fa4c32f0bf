/** The service's event stream keeps the views up to date, so that nothing polls. */
import { effect, signal } from "@preact/signals";
import { failure, load } from "./client.ts";
import { loadClock, loadControl } from "./control.ts";
import { refreshDomain } from "./domains.ts";
import { refreshInbox } from "./inbox.ts";
import { refreshLogs } from "./logs.ts";
import { place } from "./navigation.ts";

export const isLive = signal(false);

/** Events within this many milliseconds are handled together. */
const TOGETHER_MS = 100;

const due = new Map<string, ReturnType<typeof setTimeout>>();

function soon(name: string, work: () => Promise<unknown>): void {
  if (due.has(name)) return;
  const run = (): void => {
    due.delete(name);
    void work();
  };
  due.set(name, setTimeout(run, TOGETHER_MS));
}

const everything = (): void => {
  soon("inbox", refreshInbox);
  soon("logs", refreshLogs);
  soon("domain", refreshDomain);
  soon("control", () => load(loadControl));
};

/** `of` is the kind of resource that changed. */
function onChanged(event: MessageEvent<string>): void {
  const { of } = JSON.parse(event.data) as { of: string };
  if (of === "messages") soon("inbox", refreshInbox);
  else soon("domain", refreshDomain);
}

const KINDS: Readonly<Record<string, () => void>> = {
  received: () => soon("inbox", refreshInbox),
  log: () => {
    soon("logs", refreshLogs);
    if (place.value.view === "control") soon("control", () => load(loadControl));
    else soon("clock", () => load(loadClock));
  },
  restored: everything,
  missed: everything,
};

/** The browser reconnects by itself, and continues after the last event it saw. */
export function watchService(): void {
  // Each view shows its own errors.
  effect(() => {
    void place.value.view;
    failure.value = null;
  });
  const events = new EventSource("/_sim/events");
  events.addEventListener("open", () => {
    if (!isLive.value) everything();
    isLive.value = true;
  });
  events.addEventListener("error", () => {
    isLive.value = false;
  });
  events.addEventListener("changed", onChanged);
  for (const [kind, act] of Object.entries(KINDS)) events.addEventListener(kind, act);
}
