/** Looks at how a stream begins, and gives all of it. */

export interface Head {
  readonly bytes: Buffer;
  /** Whether `bytes` is all there is. */
  readonly isComplete: boolean;
  /** What the stream threw after `bytes`, which `all` throws in its turn. */
  readonly failure: unknown;
  /** All, from the start, if it is read on. */
  readonly all: AsyncIterable<Uint8Array>;
  /** Ends the reading. */
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

/** The first octets, at least `bytesMin` if there are as many. */
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

/** All of a stream; throws a RangeError if it is longer than `bytesMax`. */
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
