/** Reads the beginning of a stream, and then gives the whole stream. */

export interface Head {
  readonly bytes: Buffer;
  /** Whether `bytes` is the whole stream. */
  readonly isComplete: boolean;
  /** What the stream threw after `bytes`. `all` throws it too. */
  readonly failure: unknown;
  /** The whole stream, from the start. */
  readonly all: AsyncIterable<Uint8Array>;
  /** Stops reading. */
  close(): Promise<unknown>;
}

async function* resume(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  failure: unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    if (failure !== undefined) throw failure;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** The first octets: at least `bytesMin`, or the whole stream if it is shorter. */
export async function readHead(stream: AsyncIterable<Uint8Array>, bytesMin: number): Promise<Head> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const iterator = stream[Symbol.asyncIterator]();
  let isComplete = false;
  let failure: unknown;
  try {
    while (length < bytesMin) {
      const next = await iterator.next();
      if (next.done === true) {
        isComplete = true;
        break;
      }
      chunks.push(new Uint8Array(next.value));
      length += next.value.length;
    }
  } catch (error) {
    failure = error ?? new Error("the stream failed");
  }
  const bytes = Buffer.concat(chunks);
  const close = async (): Promise<unknown> => iterator.return?.();
  return { bytes, isComplete, failure, all: resume(bytes, iterator, failure), close };
}

/** The whole stream as one buffer; throws a RangeError if it is longer than `bytesMax`. */
export async function collect(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytesMax) {
      throw new RangeError(`\`${name}\` is longer than ${bytesMax} octets: save it as a file`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
