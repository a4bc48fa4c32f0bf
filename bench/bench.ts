/** What a bench is: cases, and contestants that do the same work on each of them. */

export type Scale = "full" | "tiny";

/** Work prepared for one case. `run` does all of it once and answers what was decided, as text. */
export interface Work {
  /** Operations in one `run`. */
  readonly operations: number;
  run(): Iterable<string>;
}

export interface Bench {
  readonly name: string;
  /** What is measured, in one sentence. */
  readonly title: string;
  /** What one operation is, e.g. `message`. */
  readonly operation: string;
  cases(scale: Scale): readonly string[];
  /** The first is the subject, the others what it is held against. */
  readonly contestants: Readonly<
    Record<string, (caseName: string, scale: Scale) => Promise<Work> | Work>
  >;
  /** Contestants that need not answer what the subject answers, with the reason. */
  readonly answersDiffer?: Readonly<Record<string, string>>;
}
