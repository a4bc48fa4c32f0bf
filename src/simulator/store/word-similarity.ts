/** Typo-tolerant similarity of a query and a text: `word_similarity` as PostgreSQL's `pg_trgm` documents it. */
import { LIMITS } from "../../base/limits.ts";
import { foldCase } from "./fold-case.ts";

const WORD = /[\p{Alphabetic}\p{Nd}]+/gu;

const readable = (text: string): string => foldCase(text.slice(0, LIMITS.searchedUnitsMax));

/** The trigrams of each word in turn; a word gets two blanks before it and one after it. */
function trigramsOf(folded: string): string[] {
  const trigrams: string[] = [];
  for (const [word] of folded.matchAll(WORD)) {
    const letters = [" ", " ", ...word, " "];
    for (let at = 2; at < letters.length; at++) {
      trigrams.push(letters[at - 2]! + letters[at - 1]! + letters[at]!);
    }
  }
  return trigrams;
}

/** A text's trigrams as numbers: those of the query are 0 to `queryCount - 1`. */
interface Numbered {
  readonly numbers: readonly number[];
  readonly count: number;
}

function numberTrigrams(trigrams: readonly string[], query: ReadonlyMap<string, number>): Numbered {
  const strangers = new Map<string, number>();
  const numbers = trigrams.map((trigram) => {
    const known = query.get(trigram) ?? strangers.get(trigram);
    if (known !== undefined) return known;
    const number = query.size + strangers.size;
    strangers.set(trigram, number);
    return number;
  });
  return { numbers, count: query.size + strangers.size };
}

/**
 * Moves a window over the text: its end goes from one trigram of the query to the next, and its start follows whenever that
 * makes the window more similar. A trigram counts once, at its last place.
 */
function bestWindow({ numbers, count }: Numbered, queryCount: number): number {
  const lastAt = new Int32Array(count).fill(-1);
  let [start, shared, distinct, best] = [-1, 0, 0, 0];
  for (let end = 0; end < numbers.length; end++) {
    const number = numbers[end]!;
    const isShared = number < queryCount;
    if (start < 0 && !isShared) continue;
    if (start < 0) start = end;
    if (lastAt[number]! < 0) {
      distinct++;
      if (isShared) shared++;
    }
    lastAt[number] = end;
    if (!isShared) continue;

    let likeness = shared / (queryCount + distinct - shared);
    const from = start;
    let [restShared, restDistinct] = [shared, distinct];
    for (let at = from; at < end; at++) {
      const left = numbers[at]!;
      if (lastAt[left] !== at) continue;
      restDistinct--;
      if (left < queryCount) restShared--;
      const restLikeness = restShared / (queryCount + restDistinct - restShared);
      if (restLikeness <= likeness) continue;
      likeness = restLikeness;
      start = at + 1;
      shared = restShared;
      distinct = restDistinct;
    }
    for (let at = from; at < start; at++) {
      if (lastAt[numbers[at]!] === at) lastAt[numbers[at]!] = -1;
    }
    best = Math.max(best, likeness);
  }
  return best;
}

/** In words with fewer code units, swapped letters are more often another word than a typing error. */
const SWAPPED_WORD_UNITS_MIN = 4;

/**
 * The query as typed, then with each pair of neighbouring letters swapped: the most common typing error, after which a short
 * word shares too few trigrams with the right one. At most `LIMITS.searchedSpellingsMax` spellings, beginning with the first
 * words.
 */
export function spellingsOf(query: string): readonly string[] {
  const folded = readable(query);
  const spellings = [folded];
  for (const { 0: word, index } of folded.matchAll(WORD)) {
    if (word.length < SWAPPED_WORD_UNITS_MIN) continue;
    for (let at = index; at + 1 < index + word.length; at++) {
      const swapped = folded[at + 1]! + folded[at]!;
      if (swapped[0] === swapped[1]) continue;
      if (spellings.length === LIMITS.searchedSpellingsMax) return spellings;
      spellings.push(folded.slice(0, at) + swapped + folded.slice(at + 2));
    }
  }
  return spellings;
}

/** The weight of a match with two letters swapped. */
const SWAPPED_WEIGHT = 0.9;

/**
 * The similarity by which a search ranks a text: `wordSimilarityTo` the query, or nine tenths of that to the best other
 * spelling of `spellingsOf`, whichever is more.
 */
export function likenessTo(query: string, least: number): (text: string) => number {
  const [typed, ...swapped] = spellingsOf(query).map((spelling, index) =>
    wordSimilarityTo(spelling, index === 0 ? least : least / SWAPPED_WEIGHT),
  );
  return (text) => {
    let best = typed!(text);
    for (const likeness of swapped) {
      if (best >= SWAPPED_WEIGHT) break;
      best = Math.max(best, SWAPPED_WEIGHT * likeness(text));
    }
    return best;
  };
}

/**
 * Folded parts for an index to look up: every text with a similarity (`likenessTo`) of at least `least` contains one of them in
 * its folded form. Empty for a query that is similar to no text.
 */
export function necessaryParts(query: string, least: number): readonly string[] {
  const parts = spellingsOf(query).flatMap((spelling) => partsOf(spelling, least));
  return [...new Set(parts)];
}

/** For one spelling. A similar text lacks only a few of its trigrams, so it has at least one of any larger set. */
function partsOf(spelling: string, least: number): readonly string[] {
  const parts = [...new Set(trigramsOf(readable(spelling)))].map((trigram) => trigram.trim());
  const shared = Math.ceil(parts.length * least - 1e-9);
  return parts.toSorted((a, b) => b.length - a.length).slice(0, parts.length - shared + 1);
}

/**
 * The similarity of `query` to the most similar continuous part of a text, from 0 to 1: the trigrams they share, divided by all
 * that either has. A result below `least` may be returned as 0, which is faster. Both are read up to `LIMITS.searchedUnitsMax`.
 */
export function wordSimilarityTo(query: string, least: number): (text: string) => number {
  const known = new Map<string, number>();
  for (const trigram of trigramsOf(readable(query))) {
    if (!known.has(trigram)) known.set(trigram, known.size);
  }
  const letters = [...known.keys()].map((trigram) => trigram.trim());

  /** Whether a text has too few of the query's trigrams, even if all of them were next to each other. */
  function isHopeless(folded: string): boolean {
    let shared = letters.length;
    for (const part of letters) {
      if (!folded.includes(part)) shared--;
      if (shared / letters.length < least) return true;
    }
    return false;
  }

  return (text) => {
    const folded = readable(text);
    if (known.size === 0 || isHopeless(folded)) return 0;
    return bestWindow(numberTrigrams(trigramsOf(folded), known), known.size);
  };
}
