/** The icons of the page: each verdict has its own shape, so that colour is never the only difference. */
import type { VNode } from "preact";
import { html } from "./html.ts";

const RING = "M8 2.2a5.8 5.8 0 1 0 0 11.6a5.8 5.8 0 1 0 0-11.6z";
const PATHS = {
  add: "M8 3.2v9.6M3.2 8h9.6",
  arrow: "M2.8 8h10.2M9.4 4.2 13.2 8l-3.8 3.8",
  bad: `${RING}M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2`,
  bin: "M2.8 4.6h10.4M6.2 4.6V2.8h3.6v1.8M4.2 4.6l.6 8.6h6.4l.6-8.6",
  check: "M3 8.5l3.2 3.2L13 4.7",
  clip: "M12.8 7.4 7.6 12.6a3 3 0 0 1-4.3-4.3l5.6-5.6a2 2 0 0 1 2.9 2.9l-5.4 5.4a.9.9 0 0 1-1.3-1.3l4.6-4.7",
  clock: `${RING}M8 4.6V8l2.4 1.5`,
  close: "M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6",
  copy: "M5.6 5.6h7.8v7.8H5.6zM10.4 5.6V2.6H2.6v7.8h3",
  dark: `${RING}M8 2.2v11.6`,
  down: "M4.2 6.2 8 10l3.8-3.8",
  failed: "M8 2.4 2.2 13h11.6zM8 6.4v3.2M8 11.3v.1",
  grip: "M5.6 4v.1M5.6 8v.1M5.6 12v.1M10.4 4v.1M10.4 8v.1M10.4 12v.1",
  hook: "M4 13.4a2 2 0 1 0 0-4a2 2 0 1 0 0 4zM12 13.4a2 2 0 1 0 0-4a2 2 0 1 0 0 4zM8 5.8a2 2 0 1 0 0-4a2 2 0 1 0 0 4zM7 5.8 5 9.6M9 5.8l2 3.8M6 11.4h4",
  keys: "M1.8 4.2h12.4v7.6H1.8zM4.2 7h.1M7 7h.1M9.8 7h.1M12 7h.1M5.2 9.6h5.6",
  left: "M9.8 3.2 5.2 8l4.6 4.8",
  logo: "M1.6 8h3.8c3.6 0 3-4.4 6.4-4.4h2.6M5.4 8c3.6 0 3 4.4 6.4 4.4h2.6",
  logs: "M3.5 2.5v11M3.5 5h9M3.5 9h6",
  mail: "M1.8 3.6h12.4v8.8H1.8zM2.2 4.2 8 8.8l5.8-4.6",
  matched: `${RING}M5.2 8.2l2 2 3.6-4`,
  missed: RING,
  nearest: `${RING}M8 4.8a3.2 3.2 0 0 1 0 6.4z`,
  off: `${RING}M4.2 11.8l7.6-7.6`,
  open: "M8 10.4V2.4M4.6 5.6 8 2.2l3.4 3.4M2.6 13.4h10.8",
  redo: "M13 6.4H6.6a3.4 3.4 0 0 0 0 6.8H10M10 3.2l3.2 3.2L10 9.6",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13.2 2v3h-3",
  right: "M6.2 3.2 10.8 8l-4.6 4.8",
  rules: "M2.5 4h2M7.5 4h6M2.5 8h2M7.5 8h6M2.5 12h2M7.5 12h6",
  save: "M8 2.2v8M4.6 7 8 10.4 11.4 7M2.6 13.4h10.8",
  search: "M7 2.6a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8zM10.4 10.4l3.4 3.4",
  share: "M6.6 9.4l6.8-6.8M9.4 2.6h4v4M11.8 9.6v3.8H2.6V4.2h3.8",
  shield: "M8 1.8 13.4 4v4c0 3.2-2.2 5.1-5.4 6.2C4.8 13.1 2.6 11.2 2.6 8V4z",
  sliders:
    "M2 5h6M12 5h2M2 11h2M8 11h6M10 3a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM6 9a2 2 0 1 0 0 4a2 2 0 1 0 0-4z",
  test: "M6 2.6v4L2.9 12a1 1 0 0 0 .9 1.5h8.4a1 1 0 0 0 .9-1.5L10 6.6v-4M4.9 2.6h6.2",
  undo: "M3 6.4h6.4a3.4 3.4 0 0 1 0 6.8H6M6 3.2 2.8 6.4 6 9.6",
  unreached: RING,
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words; screen readers skip it. */
export function Icon({ name, small }: { name: IconName; small?: "small" }): VNode {
  const dashes = name === "unreached" ? "1.2 2.4" : undefined;
  return html`<svg class=${small === undefined ? "i" : "i i-12"} viewBox="0 0 16 16" aria-hidden="true">
    <path d=${PATHS[name]} stroke-dasharray=${dashes} /></svg>`;
}

const VERDICTS = {
  matched: { icon: "matched", words: "matched" },
  missed: { icon: "missed", words: "missed" },
  nearest: { icon: "nearest", words: "nearest miss" },
  inactive: { icon: "off", words: "switched off" },
  failed: { icon: "failed", words: "failed" },
  unreached: { icon: "unreached", words: "not reached" },
  undecided: { icon: "unreached", words: "undecided" },
  "over-budget": { icon: "failed", words: "over budget" },
} as const;

export type VerdictName = keyof typeof VERDICTS;

export function verdictWords(verdict: VerdictName): string {
  return VERDICTS[verdict].words;
}

/** The icon of a verdict, with its word for a screen reader. */
export function VerdictIcon({ verdict }: { verdict: VerdictName }): VNode {
  const { icon, words } = VERDICTS[verdict];
  return html`<span class=${`v v-${verdict}`} title=${words}><${Icon} name=${icon} /><span class="sr">${words}</span></span>`;
}
