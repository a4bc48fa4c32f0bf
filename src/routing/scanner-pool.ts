/** Literal scanners by what they look for: one for nearly the same literals is used again for those in common. */
import { createLiteralScanner, type LiteralScanner, type OnHit } from "../regex/literal-scanner.ts";
import { literalKey, type RequiredLiteral } from "../regex/required-literals.ts";
import { BoundedCache } from "./pieces.ts";

/** A scanner for so few is made sooner than a similar one is found. */
const SIMILAR_LITERALS_MIN = 32;

/** Literals that another scanner may lack, or have beyond those that are sought. */
const DIFFERENT_MAX = 8;

/** Scanners that are looked at for one that is similar, the last one first. */
const SIMILAR_TRIED_MAX = 16;

interface Base {
  readonly scanner: LiteralScanner;
  readonly keys: readonly string[];
}

export class ScannerPool {
  /** By all their literals in order. */
  readonly kept: BoundedCache<LiteralScanner>;
  /** Those that were made whole, the last one at the end. */
  readonly #bases: Base[] = [];

  constructor(scannersMax: number) {
    this.kept = new BoundedCache(scannersMax);
  }

  /** Scanners at hand from which others are made. */
  get wholes(): number {
    return this.#bases.length;
  }

  get(literals: readonly RequiredLiteral[]): LiteralScanner {
    const keys = literals.map(literalKey);
    return this.kept.get(JSON.stringify(keys), () => {
      if (literals.length < SIMILAR_LITERALS_MIN) return createLiteralScanner(literals);
      return this.#fromSimilar(literals, keys) ?? this.#makeWhole(literals, keys);
    });
  }

  #makeWhole(literals: readonly RequiredLiteral[], keys: readonly string[]): LiteralScanner {
    const scanner = createLiteralScanner(literals);
    if (this.#bases.push({ scanner, keys }) > SIMILAR_TRIED_MAX) this.#bases.shift();
    return scanner;
  }

  #fromSimilar(
    literals: readonly RequiredLiteral[],
    keys: readonly string[],
  ): LiteralScanner | null {
    const idOf = new Map(keys.map((key, id) => [key, id]));
    for (const base of this.#bases.toReversed()) {
      const ids = idsIn(base, idOf);
      if (ids !== null) return extended(base.scanner, ids, literals);
    }
    return null;
  }
}

/** By literal of the base, its place among the literals sought, or -1; `null` if they have too little in common. */
function idsIn({ keys }: Base, idOf: ReadonlyMap<string, number>): Int32Array | null {
  if (Math.abs(keys.length - idOf.size) > DIFFERENT_MAX) return null;
  const ids = new Int32Array(keys.length);
  let unwanted = 0;
  for (const [nth, key] of keys.entries()) {
    const id = idOf.get(key) ?? -1;
    ids[nth] = id;
    if (id < 0 && ++unwanted > DIFFERENT_MAX) return null;
  }
  return ids;
}

function extended(
  base: LiteralScanner,
  ids: Int32Array,
  literals: readonly RequiredLiteral[],
): LiteralScanner {
  const covered = new Uint8Array(literals.length);
  for (const id of ids) if (id >= 0) covered[id] = 1;
  const added = [...literals.keys()].filter((id) => covered[id] === 0);
  const rest = createLiteralScanner(added.map((id) => literals[id]!));
  return {
    literals,
    scan(text, onHit, placesMax) {
      let ended = false;
      const tell = (id: number, start: number): ReturnType<OnHit> => {
        if (id < 0) return undefined;
        const answer = onHit(id, start);
        if (answer === "stop") ended = true;
        return answer;
      };
      base.scan(text, (nth, start) => tell(ids[nth]!, start), placesMax);
      if (!ended && added.length > 0) {
        rest.scan(text, (nth, start) => tell(added[nth]!, start), placesMax);
      }
    },
  };
}
