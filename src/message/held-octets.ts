/** Holds octets until a message is decided, in blocks, so that they can be freed one by one. */

const FIRST_BLOCK_BYTES = 4_096;
const BLOCK_BYTES_MAX = 65_536;
/** Chunks of this size or more become blocks of their own. */
const LARGE_BYTES = 16_384;

export class HeldOctets {
  readonly #blocks: Uint8Array[] = [];
  /** How much of the last block is used. */
  #used = 0;
  length = 0;

  /** Copies the chunk, since the caller may reuse its memory. */
  push(chunk: Uint8Array): void {
    this.length += chunk.length;
    if (chunk.length >= LARGE_BYTES) {
      this.#endBlock();
      this.#blocks.push(chunk.slice());
      this.#used = chunk.length;
      return;
    }
    for (let at = 0; at < chunk.length; ) {
      const block = this.#openBlock();
      const piece = chunk.subarray(at, at + block.length - this.#used);
      block.set(piece, this.#used);
      this.#used += piece.length;
      at += piece.length;
    }
  }

  #endBlock(): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) {
      this.#blocks[this.#blocks.length - 1] = last.subarray(0, this.#used);
    }
  }

  /** The last block, if it has room, or a new one. */
  #openBlock(): Uint8Array {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const length = Math.min(Math.max(FIRST_BLOCK_BYTES, 2 * (last?.length ?? 0)), BLOCK_BYTES_MAX);
    const block = new Uint8Array(length);
    this.#blocks.push(block);
    this.#used = 0;
    return block;
  }

  /** The blocks in order. They remain held. */
  *blocks(): Generator<Uint8Array> {
    this.#endBlock();
    yield* this.#blocks;
  }

  /** The blocks in order. Each is freed when the next is asked for. */
  *release(): Generator<Uint8Array> {
    this.#endBlock();
    for (const [index, block] of this.#blocks.entries()) {
      this.#blocks[index] = new Uint8Array(0);
      yield block;
    }
    this.#blocks.length = 0;
    this.length = 0;
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const block of this.blocks()) {
      bytes.set(block, at);
      at += block.length;
    }
    return bytes;
  }
}
