/** Bytes that grow by chunks: the buffer doubles, so that many small chunks cost no more than a few large ones. */
export class Collected {
  #buffer = new Uint8Array(4_096);
  length = 0;

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.length));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** A view of what was pushed so far. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }
}
