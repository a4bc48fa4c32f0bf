/** The facts of a message that its header block gives. */
import { parseMailboxes } from "./address-list.ts";
import type { CharsetDecoder } from "./encoded-words.ts";
import { type HeaderBlock, splitHeaderBlock } from "./header-block.ts";
import { headerText, rawHeaderText } from "./header-text.ts";
import type { MessageProblem } from "./message-problem.ts";

export interface HeaderFacts {
  /** The first usable mailbox of the From field, canonical; `null` if there is none. */
  readonly from: string | null;
  /** Decoded, unfolded, without control characters; `""` if missing. */
  readonly subject: string;
  /** Lower-case field name → decoded values, in the order of the message. Decoded when first asked for. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** What could not be read. */
  readonly problems: readonly MessageProblem[];
}

type Headers = HeaderFacts["headers"];

function headersOf(block: HeaderBlock, decode: CharsetDecoder): Headers {
  const headers = new Map<string, string[]>();
  for (const field of block.fields) {
    const { name } = field;
    const text = headerText(field.value, decode);
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [text]);
    else values.push(text);
  }
  return headers;
}

function fromOf(block: HeaderBlock, decode: CharsetDecoder): string | null {
  for (const field of block.keyFields) {
    if (field.name !== "from") continue;
    // Encoded words stay as they are: what they say is a name, never an address.
    const address = parseMailboxes(rawHeaderText(field.value, decode))[0];
    if (address !== undefined) return address;
  }
  return null;
}

function subjectOf(block: HeaderBlock, decode: CharsetDecoder): string {
  for (const field of block.keyFields) {
    if (field.name === "subject") return headerText(field.value, decode);
  }
  return "";
}

/**
 * The facts of a block that was split, the headers decoded when they are first asked for: few rules see more than
 * sender and subject. `headers` is a property of the object's own, so that it is copied with the others, but all
 * objects share one accessor: a closure for each costs a hidden class for each, measured at half of all time.
 */
export class BlockFacts implements HeaderFacts {
  // Declared only, so that the order of the properties is that of the constructor.
  declare readonly from: string | null;
  declare readonly subject: string;
  declare readonly headers: Headers;
  declare readonly problems: readonly MessageProblem[];
  readonly #block: HeaderBlock;
  readonly #decode: CharsetDecoder;
  #headers: Headers | undefined;

  static readonly #accessor: PropertyDescriptor & ThisType<BlockFacts> = {
    get() {
      this.#headers ??= headersOf(this.#block, this.#decode);
      return this.#headers;
    },
    enumerable: true,
  };

  constructor(
    block: HeaderBlock,
    decode: CharsetDecoder,
    problems: readonly MessageProblem[] = block.problems,
  ) {
    this.from = fromOf(block, decode);
    this.subject = subjectOf(block, decode);
    Object.defineProperty(this, "headers", BlockFacts.#accessor);
    this.problems = problems;
    this.#block = block;
    this.#decode = decode;
  }
}

/** The facts of a block that was split. Total. */
export function factsOfBlock(block: HeaderBlock, decode: CharsetDecoder): HeaderFacts {
  return new BlockFacts(block, decode);
}

/** The facts of a message's beginning, which ends anywhere after the blank line. Any bytes give facts. */
export function readHeaderFacts(bytes: Uint8Array, decode: CharsetDecoder): HeaderFacts {
  return factsOfBlock(splitHeaderBlock(bytes), decode);
}
