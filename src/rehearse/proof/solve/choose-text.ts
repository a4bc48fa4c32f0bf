/** Chooses a text for one variable that meets demands: a text like real mail if possible, otherwise any possible text. */

import { languageOf } from "../formula/variables.ts";
import { type Demand, type FoundText, findText, type Meter } from "../text/find-text.ts";
import { TextAutomaton } from "../text/text-automaton.ts";
import type { TextPattern } from "../text/text-program.ts";
import { writeProgram } from "../text/text-program.ts";

/** A pattern, and whether the text must contain it. */
export interface WantedText {
  readonly pattern: TextPattern;
  readonly found: boolean;
}

const TOO_LONG = "a pattern is too long to be followed";

/** The search for a text like real mail gets the budget divided by this. */
const LIKELY_SHARE = 4;

/** Keeps the automata of patterns, which grow with use. */
export class Automata {
  readonly #kept = new Map<string, TextAutomaton | null>();

  of(pattern: TextPattern): TextAutomaton | null {
    const key = JSON.stringify([pattern.key, pattern.changes, pattern.suffix]);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const program = writeProgram(pattern);
    const made = program === null ? null : new TextAutomaton(program);
    this.#kept.set(key, made);
    return made;
  }
}

/** Frames that turn the texts that patterns demand into texts like real mail. */
const FRAMES: Readonly<Record<string, readonly string[]>> = {
  local: ["hello", "%", "hello.%", "%.hello", "%1", "hello+%"],
  sender: [
    "ann@example.org",
    "%",
    "ann%",
    "%example.org",
    "ann@%",
    "%@example.org",
    "ann@%.example.org",
    "ann.%@example.org",
    "ann@example.%",
    "ann@mail%",
    "ann@mail.%",
  ],
  subject: ["Hello", "%", "Re: %", "% today", "About %", "Hello %"],
  body: ["Hello", "%", "Hello, %", "Hello,\n%\n", "Hello, % Bye"],
};
const OTHER_FRAMES = ["hello", "%", "hello %", "%.pdf", "application/%"];

function everyWay(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [""];
  const reversed = [...texts].reverse();
  return [...new Set([texts.join(" "), reversed.join(" "), texts.join(""), reversed.join("")])];
}

function* framed(
  variable: string,
  demands: readonly Demand[],
  likely: Demand,
  meter: Meter,
): Generator<void, string | null> {
  const { nice } = languageOf(variable);
  const samples: string[] = [];
  for (const demand of demands) {
    if (!demand.found) continue;
    const found = yield* findText([demand], nice, meter);
    if (found.kind !== "text") return null;
    const { text } = found;
    if (text !== "" && !samples.some((sample) => sample.includes(text))) samples.push(text);
  }
  const fits = (text: string): boolean =>
    [...demands, likely].every(({ automaton, found }) => automaton.finds(text) === found);
  const frames = FRAMES[variable] ?? OTHER_FRAMES;
  for (const way of everyWay(samples)) {
    // Frames with a `%` need samples; the others are used only without samples.
    for (const frame of frames) {
      if (frame.includes("%") === (samples.length === 0)) continue;
      const text = frame.replace("%", () => way);
      if (fits(text)) return text;
    }
  }
  return null;
}

/** A text for the variable that meets all demands; `none` is a proof. */
export function* chooseText(
  variable: string,
  wanted: readonly WantedText[],
  automata: Automata,
  meter: Meter,
): Generator<void, FoundText> {
  const language = languageOf(variable);
  const demands: Demand[] = [];
  const possible = language.possible === null ? [] : [{ pattern: language.possible, found: true }];
  for (const { pattern, found } of [...wanted, ...possible]) {
    const automaton = automata.of(pattern);
    if (automaton === null) return { kind: "unknown", why: TOO_LONG };
    demands.push({ automaton, found });
  }
  const likely = { automaton: automata.of(language.likely)!, found: true };
  const inFrame = yield* framed(variable, demands, likely, meter);
  if (inFrame !== null) return { kind: "text", text: inFrame };
  const share: Meter = { left: meter.left / LIKELY_SHARE };
  const before = share.left;
  const real = yield* findText([...demands, likely], language.nice, share);
  meter.left -= before - Math.max(0, share.left);
  if (real.kind === "text") return real;
  return yield* findText(demands, language.nice, meter);
}
