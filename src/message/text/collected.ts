/** A buffer that grows by chunks: it doubles, so that many small chunks cost no more than a few large ones. */

const FIRST_BYTES = 4_096;

export class Collected<Bytes extends Uint8Array = Uint8Array> {
  readonly #allocate: (length: number) => Bytes;
  #buffer: Bytes;
  length = 0;

  /** `allocate` returns bytes of a length, with any content. */
  constructor(allocate: (length: number) => Bytes) {
    this.#allocate = allocate;
    this.#buffer = allocate(FIRST_BYTES);
  }

  #grow(length: number): void {
    const larger = this.#allocate(Math.max(length, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.length));
    this.#buffer = larger;
  }

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  pushOctet(octet: number): void {
    if (this.length === this.#buffer.length) this.#grow(this.length + 1);
    this.#buffer[this.length++] = octet;
  }

  /** A view of the bytes pushed so far. After `cutOut`, later pushes may overwrite it. */
  get bytes(): Bytes {
    return this.#buffer.subarray(0, this.length) as Bytes;
  }

  /** Drops `[start, end)` and moves up what follows. */
  cutOut(start: number, end: number): void {
    this.#buffer.copyWithin(start, end, this.length);
    this.length -= end - start;
  }
}

/** Collects into a plain Uint8Array. */
export function collectedBytes(): Collected {
  return new Collected((length) => new Uint8Array(length));
}
