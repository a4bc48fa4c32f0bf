/**
 * Reads xz through the WebAssembly module of `xz-decompress`. Its own stream loses what was read before damage, and
 * lets nobody read a second file before the first has ended: an xz file in a tar of xz would wait forever.
 */
import { BESIDES, damage, type OnNote } from "./damage.ts";

/** Octets to give the module at once. If they hold damage, what it made of them is lost. */
const STEP_BYTES = 512;
/** Octets of the header that a stream begins with. */
const HEADER_BYTES = 12;

interface XzModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  create_context(): number;
  destroy_context(context: number): void;
  /** No octets: the end. */
  supply_input(context: number, length: number): void;
  get_next_output(context: number): number;
}

/** What `get_next_output` returns (`enum xz_ret` of XZ Embedded). */
const RETURNED = {
  ok: 0,
  end: 1,
  memory: 3,
  memoryLimit: 4,
  format: 5,
  options: 6,
  buffer: 8,
} as const;

/** Fields of a context, in words of 32 bits. */
const FIELDS = { size: 0, input: 1, inputRead: 2, output: 4, outputLength: 5 } as const;

async function loadModule(): Promise<XzModule> {
  const { default: xz } = await import("xz-decompress");
  const stream = xz.XzReadableStream as unknown as {
    _moduleInstance?: { readonly exports: unknown };
    _getModuleInstance(): Promise<void>;
  };
  if (stream._moduleInstance === undefined) await stream._getModuleInstance();
  return stream._moduleInstance!.exports as XzModule;
}

function failureOf(returned: number): Error {
  switch (returned) {
    case RETURNED.buffer:
      return damage("the file is cut off", "Z_BUF_ERROR");
    case RETURNED.memory:
    case RETURNED.memoryLimit:
      return new Error("its xz data needs more than 64 MB of memory: unpack it first");
    case RETURNED.options:
      return new Error(
        "its xz data has a checksum (SHA-256) or a filter that is not supported: unpack it first",
      );
    default:
      return damage(`xz returned ${returned}`);
  }
}

/** One file that the module reads. */
class XzContext {
  readonly #module: XzModule;
  readonly #context: number;
  /** Octets of the file that were read. */
  #read = 0;

  constructor(module: XzModule) {
    this.#module = module;
    this.#context = module.create_context();
  }

  /** The data of the next octets; of none at the end. Returns whether something else follows. */
  *push(bytes: Uint8Array): Generator<Uint8Array, "more" | "besides", void> {
    new Uint8Array(this.#module.memory.buffer).set(bytes, this.#fields()[FIELDS.input]);
    this.#module.supply_input(this.#context, bytes.length);
    for (;;) {
      const returned = this.#module.get_next_output(this.#context);
      const fields = this.#fields();
      const [output, length, read] = [
        fields[FIELDS.output]!,
        fields[FIELDS.outputLength]!,
        fields[FIELDS.inputRead]!,
      ];
      const isFull = length === fields[FIELDS.size];
      fields[FIELDS.outputLength] = 0;
      if (length > 0) yield new Uint8Array(this.#module.memory.buffer, output, length).slice();
      if (returned === RETURNED.end) break;
      if (returned === RETURNED.format && this.#read + read > HEADER_BYTES) return "besides";
      if (returned !== RETURNED.ok) throw failureOf(returned);
      // At the end it is asked until it says whether the file is complete.
      if (bytes.length > 0 && read === bytes.length && !isFull) break;
    }
    this.#read += bytes.length;
    return "more";
  }

  /** Ends the file. Throws if it is cut off. */
  *end(): Generator<Uint8Array, "more" | "besides", void> {
    try {
      return yield* this.push(new Uint8Array(0));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "Z_BUF_ERROR") throw error;
      if (this.#isBesides()) return "besides";
      throw error;
    }
  }

  /** Whether the last octets are of another header, which is none: filled up, it is refused at once. */
  #isBesides(): boolean {
    try {
      return this.push(new Uint8Array(HEADER_BYTES)).next().value === "besides";
    } catch {
      return false;
    }
  }

  #fields(): Uint32Array {
    return new Uint32Array(this.#module.memory.buffer, this.#context, 6);
  }

  close(): void {
    this.#module.destroy_context(this.#context);
  }
}

/** Gives the data before damage, but for what the last octets before it expand to. */
export async function* unxz(
  source: AsyncIterable<Uint8Array>,
  onNote: OnNote,
): AsyncGenerator<Uint8Array> {
  const context = new XzContext(await loadModule());
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length; at += STEP_BYTES) {
        const after = yield* context.push(chunk.subarray(at, at + STEP_BYTES));
        if (after === "besides") return onNote(BESIDES);
      }
    }
    if ((yield* context.end()) === "besides") onNote(BESIDES);
  } finally {
    context.close();
  }
}
