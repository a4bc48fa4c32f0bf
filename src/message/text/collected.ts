/** Bytes that grow by chunks: the buffer doubles, so that many small chunks cost no more than a few large ones. */

const FIRST_BYTES = 4_096;

export class Collected<Bytes extends Uint8Array = Uint8Array> {
  readonly #allocate: (length: number) => Bytes;
  #buffer: Bytes;
  length = 0;

  /** `allocate` gives bytes of a length, whatever they hold. */
  constructor(allocate: (length: number) => Bytes) {
    this.#allocate = allocate;
    this.#buffer = allocate(FIRST_BYTES);
  }

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = this.#allocate(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** A view of what was pushed so far, which what follows may write over once something was cut out. */
  get bytes(): Bytes {
    return this.#buffer.subarray(0, this.length) as Bytes;
  }

  /** Drops `[start, end)` and moves up what follows. */
  cutOut(start: number, end: number): void {
    this.#buffer.copyWithin(start, end, this.length);
    this.length -= end - start;
  }
}

/** Bytes of no kind of their own. */
export function collectedBytes(): Collected {
  return new Collected((length) => new Uint8Array(length));
}
