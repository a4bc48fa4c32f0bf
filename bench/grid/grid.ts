/** The grid of `bench patterns` and `bench rules`: its dimensions, its cases, and slices that are each a fair sample. */

export const TEXT_KINDS = ["english", "letters", "html", "log", "cjk", "base64"] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/**
 * `nothing`: rules are made of almost what stands in the texts, and patterns without a literal do not match 64 KB of them, so most
 * messages are decided by none; in long texts some match all the same. `words`: of what stands there.
 */
export type Outcome = "nothing" | "words";

export const COUNTS: readonly number[] = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000];
/** Octets of a text. */
const SIZES: readonly number[] = [1_000, 4_000, 100_000];
const SHARES: readonly number[] = [95, 60];
const OUTCOMES: readonly Outcome[] = ["nothing", "words"];

/** Slices that together are the whole grid. A full run measures the first. */
export const SLICES = 3;
/** A slice has 1,000 and 10,000 rules on the same texts, so that it shows how time grows. */
const SLICE_OF_COUNT: readonly number[] = [0, 1, 2, 0, 1, 2, 0, 1, 0];

export interface GridCase {
  readonly kind: TextKind;
  /** Octets of a text. */
  readonly size: number;
  /** Percent of the patterns that have a literal; `null`: mixed rules. */
  readonly share: number | null;
  readonly outcome: Outcome;
  /** Rules. */
  readonly count: number;
}

function nameOf({ kind, size, share, outcome, count }: GridCase): string {
  const literal = share === null ? [] : [`${share} % literal`];
  return [kind, `${size / 1_000} KB`, ...literal, outcome, `${count} rules`].join(", ");
}

/** `cjk, 4 KB, 95 % literal, nothing, 10 rules`, or without the share. Throws on a name that is none. */
export function gridCase(name: string): GridCase {
  const parts = name.split(", ");
  const [kind, size, share, outcome, count] =
    parts.length === 5 ? parts : [parts[0], parts[1], null, parts[2], parts[3]];
  const found: GridCase = {
    kind: TEXT_KINDS.find((each) => each === kind) ?? "english",
    size: Number.parseInt(size ?? "", 10) * 1_000,
    share: share === null ? null : Number.parseInt(share!, 10),
    outcome: OUTCOMES.find((each) => each === outcome) ?? "nothing",
    count: Number.parseInt(count ?? "", 10),
  };
  if (nameOf(found) !== name) throw new Error(`no case of the grid: \`${name}\``);
  return found;
}

/** Names of all cases, the slices one behind the other. */
export function gridCases(rules: "patterns" | "mixed"): readonly string[] {
  const slices: string[][] = Array.from({ length: SLICES }, () => []);
  const shares = rules === "patterns" ? SHARES : [null];
  for (const [nth, kind] of TEXT_KINDS.entries()) {
    for (const [ofShare, share] of shares.entries()) {
      for (const [ofOutcome, outcome] of OUTCOMES.entries()) {
        for (const [ofSize, size] of SIZES.entries()) {
          for (const [at, count] of COUNTS.entries()) {
            const slice = nth + ofShare + ofOutcome + ofSize + SLICE_OF_COUNT[at]!;
            slices[slice % SLICES]!.push(nameOf({ kind, size, share, outcome, count }));
          }
        }
      }
    }
  }
  // In an order of no meaning, so that a run which is stopped has still measured a fair sample.
  return slices.flatMap((slice) => slice.sort((a, b) => seedOf(a) - seedOf(b)));
}

/** One case of each text, for CI. */
export function tinyGridCases(rules: "patterns" | "mixed"): readonly string[] {
  return TEXT_KINDS.map((kind, nth) =>
    nameOf({
      kind,
      size: nth % 2 === 0 ? 1_000 : 4_000,
      share: rules === "mixed" ? null : SHARES[nth % 2]!,
      outcome: OUTCOMES[(nth >> 1) % 2]!,
      count: nth % 2 === 0 ? 30 : 10,
    }),
  );
}

/** A seed of its own for each part of a case, e.g. its rules. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
