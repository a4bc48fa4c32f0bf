/** Reads gzip (RFC 1952) without losing anything: gives all data before damage, and reports octets after the data. */
import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";
import { BESIDES } from "./damage.ts";

/** Octets to give zlib at once. If they hold damage, what zlib made of them is lost. */
const STEP_BYTES = 16_384;

/** Drives zlib step by step: its stream, when it finds damage, drops the data that it has not handed on. */
class GunzipSteps {
  readonly #gunzip: Gunzip = createGunzip({ chunkSize: 65_536 });
  #pieces: Buffer[] = [];
  #failure: Error | null = null;
  fed = 0;
  hasEnded = false;

  constructor() {
    this.#gunzip.on("data", (piece: Buffer) => this.#pieces.push(piece));
    this.#gunzip.on("end", () => {
      this.hasEnded = true;
    });
    this.#gunzip.on("error", (error) => {
      this.#failure ??= error;
    });
  }

  /** Resolves with the data of the octets; throws zlib's error. */
  async push(bytes: Uint8Array): Promise<Buffer[]> {
    this.fed += bytes.length;
    if (this.#failure !== null) throw this.#failure;
    // A copy: zlib reads it in another thread, and its owner may overwrite it.
    await new Promise<void>((done) => {
      // When a write fails, zlib reports only that it is closed.
      this.#gunzip.once("close", done);
      this.#gunzip.write(Buffer.from(bytes), () => {
        this.#gunzip.removeListener("close", done);
        done();
      });
    });
    // zlib hands on data in the next turn; also its `end`.
    await new Promise((done) => setImmediate(done));
    return this.#take();
  }

  async end(): Promise<Buffer[]> {
    if (!this.hasEnded && this.#failure === null) {
      this.#gunzip.end();
      await once(this.#gunzip, "close").catch(() => undefined);
    }
    return this.#take();
  }

  #take(): Buffer[] {
    const taken = this.#pieces;
    this.#pieces = [];
    if (this.#failure !== null && taken.length === 0) throw this.#failure;
    return taken;
  }

  /** Octets pushed that are not part of the compressed data. */
  get left(): number {
    return this.fed - this.#gunzip.bytesWritten;
  }

  close(): void {
    this.#gunzip.destroy();
  }
}

function isBesides(error: unknown): boolean {
  // Something else begins where another member could begin.
  return /incorrect header check|unknown compression method/.test(String(error));
}

/** Gives zlib the source in steps, and one octet at a time in `careful`. Throws zlib's errors. */
async function* inSteps(
  source: AsyncIterable<Uint8Array>,
  careful: { readonly from: number; readonly to: number },
  onNote: (note: string) => void,
  onFed: (fed: number) => void,
): AsyncGenerator<Uint8Array> {
  const steps = new GunzipSteps();
  let isNoted = false;
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length && !isNoted; ) {
        const isCareful = steps.fed >= careful.from && steps.fed < careful.to;
        const step = chunk.subarray(at, at + (isCareful ? 1 : STEP_BYTES));
        at += step.length;
        if (!steps.hasEnded) {
          onFed(steps.fed);
          yield* await steps.push(step);
        }
        const rest = steps.hasEnded
          ? step.subarray(step.length - Math.min(step.length, steps.left))
          : [];
        // Zeros fill the blocks of tapes.
        if (rest.some((byte) => byte !== 0)) isNoted = true;
      }
    }
    yield* await steps.end();
    if (isNoted) onNote(BESIDES);
  } finally {
    steps.close();
  }
}

const NEVER = { from: Number.POSITIVE_INFINITY, to: 0 };

/**
 * Gives all data before damage, to the last octet if the source can be opened `again`, otherwise all but some
 * thousand octets. Rejects with zlib's errors.
 */
export async function* gunzipped(
  source: AsyncIterable<Uint8Array>,
  again: (() => AsyncIterable<Uint8Array>) | undefined,
  onNote: (note: string) => void,
): AsyncGenerator<Uint8Array> {
  let [given, fed] = [0, 0];
  const onFed = (octets: number): void => {
    fed = octets;
  };
  try {
    for await (const piece of inSteps(source, NEVER, onNote, onFed)) {
      given += piece.length;
      yield piece;
    }
  } catch (error) {
    const isDamage = (error as NodeJS.ErrnoException).code?.startsWith("Z_") === true;
    if (isDamage && again !== undefined) {
      const careful = { from: fed, to: fed + STEP_BYTES };
      let at = 0;
      try {
        for await (const piece of inSteps(again(), careful, onNote, () => undefined)) {
          at += piece.length;
          if (at > given) yield piece.subarray(Math.max(0, piece.length - (at - given)));
        }
      } catch (same) {
        if (!(same as NodeJS.ErrnoException).code?.startsWith("Z_")) throw same;
      }
    }
    if (!isBesides(error)) throw error;
    onNote(BESIDES);
  }
}
