/** Compiled pieces by their content: what two domains, or two versions of one, have in common is compiled once. */

/** A cache that keeps the most recently used entries. */
export class BoundedCache<Value, Key = string> {
  readonly #kept = new Map<Key, Value>();
  hits = 0;
  misses = 0;

  constructor(private readonly entriesMax: number) {}

  get size(): number {
    return this.#kept.size;
  }

  /** The value of `key`, if it is kept; it does not count as used. */
  peek(key: Key): Value | null {
    return this.#kept.get(key) ?? null;
  }

  drop(key: Key): void {
    this.#kept.delete(key);
  }

  /** The value of `key`, made if it is not kept. */
  get<Made extends Value | null>(key: Key, make: () => Made): Value | Made {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.hits++;
      // The order of use matters only once the cache fills up.
      if (this.#kept.size * 2 > this.entriesMax) {
        this.#kept.delete(key);
        this.#kept.set(key, kept);
      }
      return kept;
    }
    this.misses++;
    const made = make();
    if (made === null || this.entriesMax === 0) return made;
    if (this.#kept.size >= this.entriesMax) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, made as Value);
    return made;
  }
}
