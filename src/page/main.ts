/** Starts the page: on a service, with the files it was opened on, a shared link, or the example. */
import { effect } from "@preact/signals";
import { h, render } from "preact";
import { afterPaint } from "./after-paint.ts";
import { watchChanges } from "./comparison.ts";
import { EXAMPLE_DOMAIN, EXAMPLE_MESSAGES } from "./example.ts";
import { inSuite } from "./kept-tests.ts";
import { readMailFile } from "./model/mail.ts";
import { type KeptTest, readKeptTests } from "./model/rule-tests.ts";
import { unpackState } from "./model/share.ts";
import { openWorker } from "./open-worker.ts";
import { watchProofs } from "./proofs.ts";
import { opened, readKeptKey, signIn } from "./service/client.ts";
import { watchControl } from "./service/control.ts";
import { watchDomain } from "./service/domains.ts";
import { watchInbox } from "./service/inbox.ts";
import { watchService } from "./service/live.ts";
import { watchLogs } from "./service/logs.ts";
import { keyIn } from "./service/model/place.ts";
import { watchAddress } from "./service/navigation.ts";
import { watchSending } from "./service/sending.ts";
import {
  addMails,
  announcement,
  decided,
  decideLongIn,
  draft,
  isDeciding,
  keeper,
  mails,
  notice,
  openDomain,
  showMail,
  tests,
  watchTests,
  watchTraced,
} from "./state.ts";
import { App } from "./view/app.ts";
import { onKeyDown } from "./view/keyboard.ts";
import { applyKeptTheme } from "./view/theme.ts";
import { exposeWork } from "./view/work.ts";
import { watchWhy } from "./why-not.ts";
import { type CompareRequest, createComparer } from "./worker/compare-worker.ts";
import { createDecider, type DecideAnswer, type DecideRequest } from "./worker/decide-worker.ts";
import { createRuleProver, type ProofRequest } from "./worker/proof-worker.ts";
import { answerWhy, type WhyRequest } from "./worker/why-worker.ts";
import "./style/page.css";

/** Milliseconds after the last key until the decision is announced. */
const ANNOUNCE_MS = 500;

/** What `mailflow play` answers at `play/state`. */
interface PlayState {
  /** `null`: nothing was given, so the example is shown. */
  readonly domain: unknown;
  readonly mail: readonly { readonly name: string; readonly base64: string }[];
  readonly suite: string;
  readonly tests: readonly KeptTest[];
  /** What is wrong with the suite; `""`: nothing. */
  readonly suiteProblem: string;
}

function saveToFiles(suite: string): void {
  keeper.value = {
    kind: "files",
    ...inSuite(suite),
    async saveDomain(file) {
      const response = await fetch("play/domain", { method: "PUT", body: file });
      if (!response.ok) throw new Error(`not saved: ${await response.text()}`);
    },
  };
}

function openMail(name: string, bytes: Uint8Array): void {
  addMails([...readMailFile(bytes, name, draft.value.domain)].flat());
}

async function openPlayed(): Promise<boolean> {
  if (document.documentElement.dataset.opened !== "play") return false;
  const state = (await (await fetch("play/state")).json()) as PlayState;
  if (state.domain === null) return false;
  openDomain(state.domain);
  saveToFiles(state.suite);
  tests.value = readKeptTests(state.tests, draft.value.domain);
  if (state.suiteProblem !== "") notice.value = { kind: "bad", text: state.suiteProblem };
  for (const { name, base64 } of state.mail) {
    openMail(
      name,
      Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)),
    );
  }
  showMail(0);
  return true;
}

/** Starts watching a service; its contents are loaded one after the other. */
function openService(): boolean {
  const mode = document.documentElement.dataset.opened;
  if (mode !== "service" && mode !== "service-signed-in") return false;
  opened.value = mode;
  readKeptKey();
  const key = keyIn(location.hash);
  if (key !== null) {
    signIn(key);
    history.replaceState(null, "", "#rules");
  }
  watchAddress();
  watchDomain();
  watchInbox();
  watchLogs();
  watchSending();
  watchControl();
  watchService();
  return true;
}

async function openShared(): Promise<boolean> {
  const { hash } = location;
  const packed = /^#s=(.+)$/.exec(hash)?.[1];
  if (packed === undefined) return false;
  const state = await unpackState(packed);
  // Another link has been opened meanwhile.
  if (location.hash !== hash) return true;
  openDomain(state.saved, state.draft);
  notice.value = null;
  if (state.mail !== null) addMails([state.mail]);
  return true;
}

function openExample(): void {
  openDomain(EXAMPLE_DOMAIN);
  const encoder = new TextEncoder();
  for (const { name, text } of EXAMPLE_MESSAGES) openMail(name, encoder.encode(text));
  showMail(0);
}

function showProblem(error: unknown): void {
  notice.value = { kind: "bad", text: error instanceof Error ? error.message : String(error) };
}

async function open(): Promise<void> {
  if (openService()) return;
  // A link that is put into the address of a page that is open already.
  addEventListener("hashchange", () => void openShared().catch(showProblem));
  try {
    if ((await openShared()) || (await openPlayed())) return;
  } catch (error) {
    showProblem(error);
  }
  openExample();
}

/**
 * The page's own measures, under `performance`: from the key to the end of the frame that shows it, and of the frame that shows
 * the decision; and how much of that the page worked, without the wait for the frame. If the next key comes before the
 * decision, the decision after that one counts for both.
 */
function measureKeystrokes(): void {
  let undecided: number[] = [];
  /** When the key went down, and when the page was free to begin with it. */
  let key: { readonly start: number; readonly begun: number } | null = null;
  const onKey = ({ timeStamp }: Event): void => {
    key = { start: timeStamp, begun: performance.now() };
  };
  const shown = ({ timeStamp }: Event): void => {
    const { start, begun } = key ?? { start: timeStamp, begun: timeStamp };
    key = null;
    undecided.push(start);
    let handled = begun;
    // The last to hear of it: what the page's own listeners changed is in the document.
    const onEnd = (): void => {
      handled = performance.now();
    };
    addEventListener("input", onEnd, { once: true });
    requestAnimationFrame(() => {
      const frame = performance.now();
      setTimeout(() => {
        const duration = handled - begun + performance.now() - frame;
        performance.measure("keystroke work", { start, duration });
        performance.measure("keystroke painted", { start });
        if (!isDeciding.value) measureDecided();
      }, 0);
    });
  };
  const measureDecided = (): void => {
    for (const start of undecided) performance.measure("keystroke to decision", { start });
    undecided = [];
  };
  effect(() => {
    if (!isDeciding.value) afterPaint(() => isDeciding.value || measureDecided());
  });
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("input", shown, { capture: true });
}

/** An outdated decision is drawn faintly. */
function watchAge(): void {
  effect(() => void document.documentElement.toggleAttribute("data-deciding", isDeciding.value));
}

/** Announces the answer when the typing ends. */
function watchDecision(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const now = decided.value;
    clearTimeout(timer);
    if (isDeciding.value) return;
    timer = setTimeout(() => {
      const by = now?.decision.decidedBy?.id ?? "no rule";
      announcement.value = now === null ? "" : `${now.decision.action}, by ${by}`;
    }, ANNOUNCE_MS);
  });
}

/** Makes long decisions in a worker. */
function decideInWorker(script: string): void {
  decideLongIn(({ answer, failure }) => {
    const worker = openWorker<DecideAnswer>(script, answer, failure);
    return (request) => worker.postMessage(request);
  });
}

async function start(): Promise<void> {
  applyKeptTheme();
  await open();
  watchTests();
  decideInWorker(import.meta.url);
  watchTraced();
  watchAge();
  watchDecision();
  measureKeystrokes();
  exposeWork();
  watchChanges(import.meta.url);
  watchProofs(import.meta.url);
  watchWhy(import.meta.url);
  render(h(App, {}), document.getElementById("page")!);
  document.addEventListener("keydown", onKeyDown);
  document.documentElement.dataset.ready = String(mails.value.length);
}

/** The same script in a worker, without a document: it answers decisions, comparisons, proofs and “Why not here?”. */
function startWorker(): void {
  const compare = createComparer({
    post: (answer) => postMessage(answer),
    later: (work) => void setTimeout(work, 0),
  });
  const prove = createRuleProver((answer) => postMessage(answer));
  const decider = createDecider();
  addEventListener(
    "message",
    ({ data }: MessageEvent<DecideRequest | CompareRequest | ProofRequest | WhyRequest>) => {
      if (data.kind === "decide") postMessage(decider(data));
      else if (data.kind === "compare") compare(data);
      else if (data.kind === "prove") void prove(data);
      else postMessage(answerWhy(data));
    },
  );
}

if (typeof document === "undefined") startWorker();
else await start();
