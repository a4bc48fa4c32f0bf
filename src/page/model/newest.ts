/** Only the newest counts: of the questions that come while an answer is awaited, of answers, and of the values that wait to be drawn. */
import { effect, type ReadonlySignal, type Signal } from "@preact/signals";

export interface Asker<Question, Answer> {
  ask(question: Question): void;
  /** Takes the answer to the question that was sent last. */
  answered(answer: Answer): void;
  /** Forgets what was asked: an answer that still comes is not shown. */
  forget(): void;
}

export interface AskerPort<Question, Answer> {
  send(question: Question): void;
  /** A newer question may be waiting; `show` has to check. */
  show(question: Question, answer: Answer): void;
}

export function createAsker<Question, Answer>(
  port: AskerPort<Question, Answer>,
): Asker<Question, Answer> {
  let sent: { readonly question: Question; isForgotten: boolean } | null = null;
  let next: { readonly question: Question } | null = null;
  const send = (question: Question): void => {
    sent = { question, isForgotten: false };
    port.send(question);
  };
  return {
    ask(question) {
      if (sent === null) send(question);
      else next = { question };
    },
    answered(answer) {
      const asked = sent;
      sent = null;
      if (next !== null) {
        const { question } = next;
        next = null;
        send(question);
      }
      if (asked !== null && !asked.isForgotten) port.show(asked.question, answer);
    },
    forget() {
      next = null;
      if (sent !== null) sent.isForgotten = true;
    },
  };
}

/**
 * For answers that may come in another order than their questions: called at a question, it returns a function that says
 * whether the answer is newer than those before it.
 */
export function createOrder(): () => () => boolean {
  let asked = 0;
  let newest = 0;
  return () => {
    const mine = ++asked;
    return () => {
      if (mine < newest) return false;
      newest = mine;
      return true;
    };
  };
}

/** Gives `later` the value of `now`: the first at once, and after changes the newest, when `wait` calls back. */
export function follow<T>(
  now: ReadonlySignal<T>,
  later: Signal<T>,
  wait: (act: () => void) => void,
): void {
  later.value = now.peek();
  let isWaiting = false;
  effect(() => {
    if (now.value === later.peek() || isWaiting) return;
    isWaiting = true;
    wait(() => {
      isWaiting = false;
      later.value = now.peek();
    });
  });
}
