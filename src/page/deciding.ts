/** The decision about the current message: made at once, or by a worker if that would take longer than a frame allows. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { CompiledDomain } from "../engine/routing/compile-domain.ts";
import type { Scope } from "../engine/routing/resolution.ts";
import { type Decided, decide, type Mark } from "./model/decide.ts";
import type { DomainDraft } from "./model/domain.ts";
import type { Mail } from "./model/mail.ts";
import { createAsker } from "./model/newest.ts";
import { Pace, unitsToSearch } from "./model/pace.ts";
import { unpackDecision } from "./model/packed-decision.ts";
import { changedFields, type DecideAnswer, type DecideRequest } from "./worker/decide-worker.ts";

/** What is to be decided. A new object for each change. */
export interface ToDecide {
  readonly domain: CompiledDomain;
  /** What `domain` was compiled from. */
  readonly deciding: DomainDraft;
  readonly mail: Mail;
}

/** Sends requests to a worker; `null`: there is none, so everything is decided at once. */
export type OpenWorker = (on: {
  answer(answer: DecideAnswer): void;
  failure(): void;
}) => (request: DecideRequest) => void;

export interface Deciding {
  /** The latest decision; `null`: the domain has an error. */
  readonly decided: ReadonlySignal<Decided | null>;
  /** Whether `decided` is older than what is typed. */
  readonly isDeciding: ReadonlySignal<boolean>;
  /** The marks in texts that have not changed since they were decided. */
  readonly marks: ReadonlySignal<Decided["marks"]>;
  /** Milliseconds that `decided` took, without its trace if that was not needed yet. */
  readonly decideMs: ReadonlySignal<number>;
  /** From now on a worker makes long decisions; it is opened for the first of them. */
  decideLongIn(open: OpenWorker): void;
}

interface Shown {
  readonly question: ToDecide;
  readonly decided: Decided;
  readonly ms: number;
}

/** Sends a worker what changed since the last request. */
function createSender(post: (request: DecideRequest) => void): (question: ToDecide) => void {
  let sent: ToDecide | null = null;
  return (question) => {
    const domain = question.deciding === sent?.deciding ? null : question.deciding;
    const mail = changedFields(sent?.mail ?? null, question.mail);
    sent = question;
    post({ kind: "decide", domain, mail });
  };
}

/** The same decision. `took` hears how long its trace took, which is found when it is first read. */
function timed(decided: Decided, now: () => number, took: (ms: number) => void): Decided {
  const { decision, marks, captures } = decided;
  let outcomes: Decided["outcomes"] | undefined;
  return {
    decision,
    marks,
    captures,
    get outcomes() {
      if (outcomes === undefined) {
        const start = now();
        ({ outcomes } = decided);
        took(now() - start);
      }
      return outcomes;
    },
  };
}

/** Watches `question`, which is `null` while nothing can be decided. `now`: a clock in milliseconds. */
export function createDeciding(
  question: ReadonlySignal<ToDecide | null>,
  now: () => number = () => performance.now(),
): Deciding {
  const shown = signal<Shown | null>(null);
  const pace = new Pace();
  let open: OpenWorker | null = null;
  let send: ((question: ToDecide) => void) | null = null;

  const decideAtOnce = (asked: ToDecide, start: number): void => {
    const decided = decide(asked.domain, asked.mail);
    const ms = now() - start;
    // A worker would find the trace as well, so a long trace is as good a reason for it.
    const took = (traceMs: number): void =>
      pace.took(unitsToSearch(asked.deciding, asked.mail), ms + traceMs);
    shown.value = { question: asked, decided: timed(decided, now, took), ms };
  };
  const asker = createAsker<ToDecide, DecideAnswer>({
    send: (asked) => send?.(asked),
    show(asked, { packed, ms }) {
      pace.took(unitsToSearch(asked.deciding, asked.mail), ms);
      shown.value = { question: asked, decided: unpackDecision(packed, asked.mail), ms };
    },
  });
  const openWorker = (): void => {
    if (open === null || send !== null) return;
    const post = open({
      answer: asker.answered,
      failure() {
        // Without a worker the page is slower, but its answers are the same.
        open = null;
        send = null;
        asker.forget();
        const asked = question.peek();
        if (asked !== null && shown.peek()?.question !== asked) {
          decideAtOnce(asked, now());
        }
      },
    });
    send = createSender(post);
  };
  effect(() => {
    const start = now();
    const asked = question.value;
    if (asked === null) {
      asker.forget();
      shown.value = null;
      return;
    }
    const isLong = pace.isLong(unitsToSearch(asked.deciding, asked.mail));
    if (!isLong || open === null || shown.peek() === null) {
      asker.forget();
      decideAtOnce(asked, start);
      return;
    }
    openWorker();
    asker.ask(asked);
  });
  const marks = computed(() => {
    const [was, is] = [shown.value, question.value];
    const all = Object.entries(was?.decided.marks ?? {}) as [Scope, Mark][];
    return Object.fromEntries(
      all.filter(([scope]) => was?.question.mail[scope] === is?.mail[scope]),
    );
  });
  return {
    marks,
    decided: computed(() => shown.value?.decided ?? null),
    isDeciding: computed(() => question.value !== null && shown.value?.question !== question.value),
    decideMs: computed(() => shown.value?.ms ?? 0),
    decideLongIn(opens) {
      open = opens;
    },
  };
}
