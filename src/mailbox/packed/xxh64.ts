/** The hash with which Zstandard checks a frame's content (RFC 8878 §3.1.1; XXH64 with the seed 0). */

/** The halves of a number of 64 bits, each a signed number of 32. */
interface Halves {
  high: number;
  low: number;
}

const halves = (high: number, low: number): Halves => ({ high: high | 0, low: low | 0 });
const PRIME_1 = halves(0x9e3779b1, 0x85ebca87);
const PRIME_2 = halves(0xc2b2ae3d, 0x27d4eb4f);
const PRIME_3 = halves(0x165667b1, 0x9e3779f9);
const PRIME_4 = halves(0x85ebca77, 0xc2b2ae63);
const PRIME_5 = halves(0x27d4eb2f, 0x165667c5);

function add(to: Halves, { high, low }: Halves): void {
  const sum = (to.low >>> 0) + (low >>> 0);
  to.high = (to.high + high + (sum > 0xffff_ffff ? 1 : 0)) | 0;
  to.low = sum | 0;
}

function multiply(by: Halves, { high, low }: Halves): void {
  const [ownLow, ownHigh] = [by.low & 0xffff, by.low >>> 16];
  const [otherLow, otherHigh] = [low & 0xffff, low >>> 16];
  const middle = ownHigh * otherLow + Math.floor((ownLow * otherLow) / 0x1_0000);
  const carry = ownLow * otherHigh + (middle % 0x1_0000);
  const top = ownHigh * otherHigh + Math.floor(middle / 0x1_0000) + Math.floor(carry / 0x1_0000);
  by.high = (top + Math.imul(by.high, low) + Math.imul(by.low, high)) | 0;
  by.low = Math.imul(by.low, low);
}

/** Rotates to the left by 1 to 31 bits. */
function rotate(of: Halves, bits: number): void {
  const { high, low } = of;
  of.high = (high << bits) | (low >>> (32 - bits));
  of.low = (low << bits) | (high >>> (32 - bits));
}

function exclusiveOr(to: Halves, { high, low }: Halves): void {
  to.high ^= high;
  to.low ^= low;
}

/** `of ^= of >>> bits`; fewer than 32 bits, or 32 and more. */
function foldDown(of: Halves, bits: number): void {
  const { high, low } = of;
  if (bits >= 32) of.low = low ^ (high >>> (bits - 32));
  else {
    of.low = low ^ ((low >>> bits) | (high << (32 - bits)));
    of.high = high ^ (high >>> bits);
  }
}

/** Takes a word of 64 bits into a lane. */
function round(lane: Halves, word: Halves): void {
  multiply(word, PRIME_2);
  add(lane, word);
  rotate(lane, 31);
  multiply(lane, PRIME_1);
}

const STRIPE_BYTES = 32;

/** Hashes octets as they come. */
export class Xxh64 {
  readonly #lanes: readonly Halves[];
  readonly #word: Halves = halves(0, 0);
  /** The octets that do not fill a stripe yet. */
  readonly #held: Buffer = Buffer.alloc(STRIPE_BYTES);
  #heldBytes = 0;
  #length = 0;

  constructor() {
    const [first, second] = [{ ...PRIME_1 }, { ...PRIME_2 }];
    add(first, PRIME_2);
    const last = halves(~PRIME_1.high, ~PRIME_1.low);
    add(last, halves(0, 1));
    this.#lanes = [first, second, halves(0, 0), last];
  }

  #read(bytes: Buffer, at: number): Halves {
    this.#word.low = bytes.readInt32LE(at);
    this.#word.high = bytes.readInt32LE(at + 4);
    return this.#word;
  }

  #stripe(bytes: Buffer, at: number): void {
    for (let lane = 0; lane < 4; lane++) {
      round(this.#lanes[lane]!, this.#read(bytes, at + 8 * lane));
    }
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#length += bytes.length;
    let at = 0;
    if (this.#heldBytes > 0) {
      at = bytes.copy(this.#held, this.#heldBytes);
      this.#heldBytes += at;
      if (this.#heldBytes < STRIPE_BYTES) return;
      this.#stripe(this.#held, 0);
      this.#heldBytes = 0;
    }
    for (; at + STRIPE_BYTES <= bytes.length; at += STRIPE_BYTES) this.#stripe(bytes, at);
    this.#heldBytes = bytes.copy(this.#held, 0, at);
  }

  #merged(): Halves {
    const hash = halves(0, 0);
    for (const [at, bits] of [1, 7, 12, 18].entries()) {
      const lane = { ...this.#lanes[at]! };
      rotate(lane, bits);
      add(hash, lane);
    }
    for (const lane of this.#lanes) {
      const mixed = halves(0, 0);
      round(mixed, { ...lane });
      exclusiveOr(hash, mixed);
      multiply(hash, PRIME_1);
      add(hash, PRIME_4);
    }
    return hash;
  }

  /** Takes the octets that do not fill a stripe. */
  #takeRest(hash: Halves): void {
    let at = 0;
    for (; at + 8 <= this.#heldBytes; at += 8) {
      const mixed = halves(0, 0);
      round(mixed, this.#read(this.#held, at));
      exclusiveOr(hash, mixed);
      rotate(hash, 27);
      multiply(hash, PRIME_1);
      add(hash, PRIME_4);
    }
    if (at + 4 <= this.#heldBytes) {
      const word = halves(0, this.#held.readInt32LE(at));
      multiply(word, PRIME_1);
      exclusiveOr(hash, word);
      rotate(hash, 23);
      multiply(hash, PRIME_2);
      add(hash, PRIME_3);
      at += 4;
    }
    for (; at < this.#heldBytes; at++) {
      const word = halves(0, this.#held[at]!);
      multiply(word, PRIME_5);
      exclusiveOr(hash, word);
      rotate(hash, 11);
      multiply(hash, PRIME_1);
    }
  }

  /** The lower 32 bits of the hash, unsigned: all that a frame has of it. Push nothing afterwards. */
  get checksum(): number {
    const hash = this.#length < STRIPE_BYTES ? { ...PRIME_5 } : this.#merged();
    add(hash, halves(Math.floor(this.#length / 0x1_0000_0000), this.#length));
    this.#takeRest(hash);
    foldDown(hash, 33);
    multiply(hash, PRIME_2);
    foldDown(hash, 29);
    multiply(hash, PRIME_3);
    foldDown(hash, 32);
    return hash.low >>> 0;
  }
}
