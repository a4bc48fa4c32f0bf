/** Bytes that grow by chunks: the buffer doubles, so that many small chunks cost no more than a few large ones. */
export class Collected {
  #buffer = Buffer.allocUnsafe(4_096);
  length = 0;

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** A view of what was pushed so far, which what follows may write over once something was cut out. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  /** Drops `[start, end)` and moves up what follows. */
  cutOut(start: number, end: number): void {
    this.#buffer.copyWithin(start, end, this.length);
    this.length -= end - start;
  }
}
