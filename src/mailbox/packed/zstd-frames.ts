/** Reads Zstandard (RFC 8878) frame by frame, and leaves out skippable frames. */
import { Decompress } from "fzstd";
import type { XXHash, XXHashAPI } from "xxhash-wasm";

/** Octets to give the reader at once: four of them can expand to a block of 128 KB. */
const STEP_BYTES = 512;
const HEADER_BYTES_MAX = 18;

function failed(code: "Z_DATA_ERROR" | "Z_BUF_ERROR", cause?: unknown): Error {
  return Object.assign(new Error("the file is not Zstandard, or cut off", { cause }), { code });
}

/** Octets of a frame's header (§3.1.1.1), its magic included; and of its checksum. */
function headerOf(bytes: Uint8Array): { readonly length: number; readonly checksum: 0 | 4 } {
  const descriptor = bytes[4]!;
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3]!;
  const size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const checksum = (descriptor & 4) !== 0 ? 4 : 0;
  return { length: 5 + (isSingle ? 0 : 1) + dictionary + size, checksum };
}

/** Reads frame after frame. Finds the end of each from the sizes of its blocks. */
class Frames {
  #held: Uint8Array = new Uint8Array(0);
  #pieces: Uint8Array[] = [];
  #reader: Decompress | null = null;
  /** Octets to skip or pass whatever they are: a skippable frame, or a block's content. */
  #skip = 0;
  #pass = 0;
  /** Of the current frame: whether its last block has begun, and the length of its checksum. */
  #isLast = false;
  #checksum: 0 | 4 = 0;
  /** Of the current frame: the hash of its content, and its last octets. */
  #hash: XXHash<bigint>;
  #tail: Uint8Array = new Uint8Array(0);
  #hasFrame = false;
  /** Whether something else than a frame follows the frames; zeros, which fill the blocks of tapes, do not count. */
  hasMore = false;
  readonly #newHash: XXHashAPI["create64"];

  /** `newHash` begins an XXH64 (§3.1.1) with the seed 0. */
  constructor(newHash: XXHashAPI["create64"]) {
    this.#newHash = newHash;
    this.#hash = newHash();
  }

  /** Ends the frames; throws if the last is cut off. */
  end(): void {
    if (this.#reader !== null || this.#skip > 0) throw failed("Z_BUF_ERROR");
    if (!this.#hasFrame && this.#held.length > 0) throw failed("Z_BUF_ERROR");
    this.#note();
  }

  /** Drops the octets held, which are not a frame. */
  #note(): void {
    if (this.#held.some((byte) => byte !== 0)) this.hasMore = true;
    this.#held = new Uint8Array(0);
  }

  take(): Uint8Array[] {
    const taken = this.#pieces;
    this.#pieces = [];
    return taken;
  }

  #feed(bytes: Uint8Array, place: "within" | "at the end"): void {
    try {
      // A copy: the reader keeps it.
      this.#reader!.push(new Uint8Array(bytes), place === "at the end");
    } catch (error) {
      throw failed("Z_DATA_ERROR", error);
    }
  }

  /** Takes the next octets of those held. */
  #next(length: number): Uint8Array {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  push(chunk: Uint8Array): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#held.length > 0 && this.#step()) {
      // `#step` takes octets from those held.
    }
    this.#held = new Uint8Array(this.#held);
  }

  /** Takes one step, if enough octets are held for it. */
  #step(): boolean {
    if (this.#skip > 0) {
      this.#skip -= this.#next(Math.min(this.#skip, this.#held.length)).length;
      return true;
    }
    if (this.#pass > 0) {
      const bytes = this.#next(Math.min(this.#pass, this.#held.length));
      this.#pass -= bytes.length;
      const isEnd = this.#pass === 0 && this.#isLast;
      this.#feed(bytes, isEnd ? "at the end" : "within");
      if (this.#isLast) this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-4);
      if (isEnd) this.#endFrame();
      return true;
    }
    return this.#reader === null ? this.#beginFrame() : this.#beginBlock();
  }

  #endFrame(): void {
    this.#reader = null;
    if (this.#checksum === 0) return;
    const expected = Buffer.from(this.#tail).readUInt32LE();
    // A frame has the lower 32 bits of the hash.
    if (BigInt(expected) !== BigInt.asUintN(32, this.#hash.digest())) throw failed("Z_DATA_ERROR");
  }

  #beginFrame(): boolean {
    if (this.#held.length < 8) return false;
    const view = new DataView(this.#held.buffer, this.#held.byteOffset, this.#held.byteLength);
    const magic = view.getUint32(0, true);
    if (magic >>> 4 === 0x184d2a5) {
      this.#skip = 8 + view.getUint32(4, true);
      return true;
    }
    if (magic !== 0xfd2fb528) {
      if (!this.#hasFrame) throw failed("Z_DATA_ERROR");
      this.#note();
      return false;
    }
    this.#hasFrame = true;
    const { length, checksum } = headerOf(this.#held);
    if (this.#held.length < Math.min(length, HEADER_BYTES_MAX)) return false;
    this.#checksum = checksum;
    this.#isLast = false;
    this.#hash = this.#newHash();
    this.#tail = new Uint8Array(0);
    this.#reader = new Decompress((piece) => {
      this.#pieces.push(piece);
      if (this.#checksum > 0) this.#hash.update(piece);
    });
    this.#feed(this.#next(length), "within");
    return true;
  }

  #beginBlock(): boolean {
    if (this.#held.length < 3) return false;
    const [a, b, c] = this.#held;
    const header = a! | (b! << 8) | (c! << 16);
    const type = (header >> 1) & 3;
    if (type === 3) throw failed("Z_DATA_ERROR");
    this.#isLast = (header & 1) !== 0;
    const content = type === 1 ? 1 : header >> 3;
    this.#pass = 3 + content + (this.#isLast ? this.#checksum : 0);
    return true;
  }
}

/** Gives all data before damage. `onMore` is called if something else follows the last frame. */
export async function* unzstd(
  source: AsyncIterable<Uint8Array>,
  onMore: () => void,
): AsyncGenerator<Uint8Array> {
  const { default: open } = await import("xxhash-wasm");
  const frames = new Frames((await open()).create64);
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length && !frames.hasMore; at += STEP_BYTES) {
      let failure: unknown;
      try {
        frames.push(chunk.subarray(at, at + STEP_BYTES));
      } catch (error) {
        failure = error;
      }
      yield* frames.take();
      if (failure !== undefined) throw failure;
    }
  }
  if (!frames.hasMore) frames.end();
  if (frames.hasMore) onMore();
}
