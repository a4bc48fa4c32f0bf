/** gzip (RFC 1952) that loses nothing: all that stands before damage is given, and what follows the data is told. */
import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";

/** Octets that zlib is given at once. What it makes of them is lost if they hold damage. */
const STEP_BYTES = 16_384;

/** Drives zlib step by step: its stream would drop what it has not handed on yet when it finds damage. */
class Steps {
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

  /** Resolves with what the octets gave; throws what zlib says of them. */
  async push(bytes: Uint8Array): Promise<Buffer[]> {
    this.fed += bytes.length;
    if (this.#failure !== null) throw this.#failure;
    // A copy: zlib reads it in another thread, and its owner may write over it.
    await new Promise<void>((done) => {
      // Of a write that failed zlib tells nothing but that it is closed.
      this.#gunzip.once("close", done);
      this.#gunzip.write(Buffer.from(bytes), () => {
        this.#gunzip.removeListener("close", done);
        done();
      });
    });
    // Data is handed on in the turn after; `end` too.
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

  /** Octets given that are not part of the compressed data. */
  get left(): number {
    return this.fed - this.#gunzip.bytesWritten;
  }

  close(): void {
    this.#gunzip.destroy();
  }
}

function isBesides(error: unknown): boolean {
  // Where another member could begin something else does.
  return /incorrect header check|unknown compression method/.test(String(error));
}

const BESIDES = "something else follows the compressed data: not read";

/** In steps; octet by octet where `careful`. zlib's errors are thrown. */
async function* inSteps(
  source: AsyncIterable<Uint8Array>,
  careful: { readonly from: number; readonly to: number },
  onNote: (note: string) => void,
  onFed: (fed: number) => void,
): AsyncGenerator<Uint8Array> {
  const steps = new Steps();
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
        // Zeros fill blocks of tapes.
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
 * What stands before damage is given to its last octet where the source can be opened `again`, else to within some
 * thousands. Rejects with zlib's errors.
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
