/**
 * Reads bzip2 block by block with the decoder of `unbzip2-stream`. Its own stream gives all blocks of the last megabyte
 * at once, some gigabytes of zeros, and does not say where the data ends.
 */
import type { Bzip2Decoder, ReadBits } from "unbzip2-stream/lib/bzip2.js";
import { BESIDES, damage, type OnNote } from "./damage.ts";

const UNIT = 100_000;
/** Octets beside its content that a block may have: tables, and what does not shrink. */
const TABLES_BYTES = 25_000;

/** The octets of the file that were not read yet. */
class Bits {
  #bytes: Buffer = Buffer.alloc(0);
  #added: Buffer[] = [];
  #at = 0;
  #bit = 0;
  length = 0;

  add(bytes: Uint8Array): void {
    // A copy: the owner may use its memory again.
    this.#added.push(Buffer.from(bytes));
    this.length += bytes.length;
  }

  /** The octets, if they begin at a whole one. */
  rest(): Buffer {
    if (this.#added.length > 0) {
      this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), ...this.#added]);
      this.#added = [];
      this.#at = 0;
    }
    return this.#bytes.subarray(this.#at);
  }

  readonly read: ReadBits = (count) => {
    if (count === null) {
      if (this.#bit > 0) this.#next();
      return 0;
    }
    let [value, missing] = [0, count];
    while (missing > 0) {
      if (this.#at >= this.#bytes.length) throw damage("the file is cut off", "Z_BUF_ERROR");
      const taken = Math.min(missing, 8 - this.#bit);
      const shift = 8 - this.#bit - taken;
      value = (value << taken) | ((this.#bytes[this.#at]! >> shift) & ((1 << taken) - 1));
      missing -= taken;
      this.#bit += taken;
      if (this.#bit === 8) this.#next();
    }
    return value;
  };

  #next(): void {
    this.#bit = 0;
    this.#at++;
    this.length--;
  }
}

/** The octets of a block, in pieces. */
class BlockOctets {
  readonly all: Buffer[] = [];
  #last = Buffer.alloc(0);
  #used = 0;

  readonly give = (octet: number): void => {
    if (this.#used === this.#last.length) {
      this.#last = Buffer.allocUnsafe(65_536);
      this.#used = 0;
      this.all.push(this.#last);
    }
    this.#last[this.#used++] = octet;
  };

  end(): Buffer[] {
    if (this.all.length > 0) this.all[this.all.length - 1] = this.#last.subarray(0, this.#used);
    return this.all;
  }
}

/** Reads the streams of a file. */
class Streams {
  readonly #decoder: Bzip2Decoder;
  readonly #bits: Bits = new Bits();
  /** The size of the current stream's blocks; 0 between two streams. */
  #units = 0;
  #checksum = 0;
  #memory: Int32Array = new Int32Array(0);
  /** Whether a stream was read, and whether the last has ended. */
  #hasStream = false;
  #hasEnded = false;
  /** Whether something else than zeros, which fill the blocks of tapes, follows the last stream. */
  hasMore = false;

  constructor(decoder: Bzip2Decoder) {
    this.#decoder = decoder;
  }

  add(chunk: Uint8Array): void {
    if (this.#hasEnded) this.#pass(chunk);
    else this.#bits.add(chunk);
  }

  #pass(bytes: Uint8Array): void {
    if (bytes.some((octet) => octet !== 0)) this.hasMore = true;
  }

  /** Gives what can be read. */
  *take(place: "within" | "at the end"): Generator<Uint8Array> {
    for (;;) {
      const { length } = this.#bits;
      const wanted = this.#units === 0 ? 4 : TABLES_BYTES + UNIT * this.#units;
      const isEnough = place === "within" ? length >= wanted : length > 0;
      if (this.#hasEnded || !isEnough) break;
      if (this.#units === 0) this.#begin();
      else yield* this.#block();
    }
    const isCut = place === "at the end" && (this.#units > 0 || !this.#hasStream);
    if (isCut) throw damage("the file is cut off", "Z_BUF_ERROR");
  }

  #begin(): void {
    const rest = this.#bits.rest();
    this.#hasEnded = this.#hasStream && !/^BZh[1-9]/.test(rest.toString("latin1", 0, 4));
    if (this.#hasEnded) {
      this.#pass(rest);
      return;
    }
    this.#units = this.#decoded(() => this.#decoder.header(this.#bits.read));
    const length = this.#units * UNIT;
    if (this.#memory.length < length) this.#memory = new Int32Array(length);
    this.#checksum = 0;
    this.#hasStream = true;
  }

  #block(): readonly Buffer[] {
    this.#bits.rest();
    const pieces = new BlockOctets();
    const [{ read }, memory, length] = [this.#bits, this.#memory, this.#units * UNIT];
    const checksum = this.#decoded(() =>
      this.#decoder.decompress(read, pieces.give, memory, length, this.#checksum),
    );
    if (checksum === null) this.#units = 0;
    else this.#checksum = checksum;
    return pieces.end();
  }

  #decoded<T>(decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === undefined ? damage(error) : error;
    }
  }
}

/** Gives every block before damage. */
export async function* unbzip2(
  source: AsyncIterable<Uint8Array>,
  onNote: OnNote,
): AsyncGenerator<Uint8Array> {
  const { default: decoder } = await import("unbzip2-stream/lib/bzip2.js");
  const streams = new Streams(decoder);
  for await (const chunk of source) {
    streams.add(chunk);
    yield* streams.take("within");
    if (streams.hasMore) return onNote(BESIDES);
  }
  yield* streams.take("at the end");
  if (streams.hasMore) onNote(BESIDES);
}
