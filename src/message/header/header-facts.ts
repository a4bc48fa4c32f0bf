/** Makes facts from a message's header block. */
import { readMailboxes } from "./address-list.ts";
import type { CharsetDecoder } from "./encoded-words.ts";
import { type HeaderBlock, type HeaderField, splitHeaderBlock } from "./header-block.ts";
import { headerText, rawHeaderText } from "./header-text.ts";
import { distinctProblems, type MessageProblem, problem } from "./message-problem.ts";

/** The parts of a header that rules and logs see. */
export interface HeaderFacts {
  /**
   * The first mailbox of the From fields as written, even if mail cannot be sent to it: in lower case, a domain as
   * A-labels. `null` if the From fields have none.
   */
  readonly from: string | null;
  /** The first Subject field that is not empty: decoded, unfolded, without control characters; `""` if there is none. */
  readonly subject: string;
  /** Lower-case field name → decoded values, in the order of the message. Decoded when first asked for. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** What could not be read. */
  readonly problems: readonly MessageProblem[];
}

type Headers = HeaderFacts["headers"];

function headersOf(
  fields: readonly HeaderField[],
  decode: CharsetDecoder,
  subjects: Subject["tried"],
): Headers {
  const headers = new Map<string, string[]>();
  for (const field of fields) {
    const { name, value } = field;
    const values = headers.get(name);
    const text = (name === "subject" ? subjects.get(value) : null) ?? headerText(value, decode);
    if (values === undefined) headers.set(name, [text]);
    else values.push(text);
  }
  return headers;
}

interface Sender {
  /** The first mailbox of the From fields, as written. */
  readonly from: string | null;
  /** Why no more of them were read. */
  readonly problems: readonly MessageProblem[];
}

function senderOf(block: HeaderBlock, decode: CharsetDecoder): Sender {
  const { sendersMax, commentDepthMax } = block.limits;
  const problems: MessageProblem[] = [];
  let left = sendersMax;
  let isCut = false;
  for (const field of block.keyFields) {
    if (field.name !== "from") continue;
    isCut ||= left <= 0;
    if (isCut) break;
    // Encoded words stay encoded: they give a name, never an address.
    const text = rawHeaderText(field.value, decode);
    const limits = { mailboxesMax: left, commentDepthMax };
    const { mailboxes, tried, cut } = readMailboxes(text, "first written", limits);
    if (cut === "comments-too-deep") {
      const what = `what follows comments deeper than ${commentDepthMax} is not read`;
      problems.push(problem(cut, what));
    }
    const from = mailboxes[0];
    if (from !== undefined) return { from, problems };
    left -= Math.max(1, tried);
    isCut = cut === "too-many-mailboxes";
  }
  if (isCut) {
    problems.push(problem("too-many-senders", `only ${sendersMax} mailboxes of From are tried`));
  }
  return { from: null, problems };
}

interface Subject {
  readonly text: string;
  /** The values of the fields up to that of the subject, decoded. */
  readonly tried: ReadonlyMap<string, string>;
}

function subjectOf(block: HeaderBlock, decode: CharsetDecoder): Subject {
  const tried = new Map<string, string>();
  for (const field of block.keyFields) {
    if (field.name !== "subject") continue;
    const { value } = field;
    const text = headerText(value, decode);
    tried.set(value, text);
    if (text !== "") return { text, tried };
  }
  return { text: "", tried };
}

/**
 * The facts of a split block. Headers are decoded when first asked for, as few rules see more than sender and
 * subject. `headers` is an own property, so that copying the object copies it too. All objects share one accessor: a
 * closure for each object makes a hidden class for each, which cost half of all time when measured.
 */
export class BlockFacts implements HeaderFacts {
  // Only declared, so that the constructor sets the order of the properties.
  declare readonly from: string | null;
  declare readonly subject: string;
  declare readonly headers: Headers;
  declare readonly problems: readonly MessageProblem[];
  readonly #block: HeaderBlock;
  readonly #decode: CharsetDecoder;
  readonly #sender: Sender;
  readonly #subject: Subject;
  #fields: readonly HeaderField[] | undefined;
  #headers: Headers | undefined;

  static readonly #accessor: PropertyDescriptor & ThisType<BlockFacts> = {
    get() {
      const fields = this.#fields ?? this.#block.fields;
      this.#headers ??= headersOf(fields, this.#decode, this.#subject.tried);
      return this.#headers;
    },
    enumerable: true,
  };

  /**
   * `after`: what could not be read of the rest of the message. `before`: facts of the same block, from which what was
   * decoded is taken over.
   */
  constructor(
    block: HeaderBlock,
    decode: CharsetDecoder,
    after: readonly MessageProblem[] = [],
    before: BlockFacts | null = null,
  ) {
    this.#sender = before === null ? senderOf(block, decode) : before.#sender;
    const { from, problems: ofSender } = this.#sender;
    this.from = from;
    this.#subject = before === null ? subjectOf(block, decode) : before.#subject;
    this.subject = this.#subject.text;
    Object.defineProperty(this, "headers", BlockFacts.#accessor);
    this.problems = distinctProblems([...block.problems, ...ofSender, ...after]);
    this.#block = block;
    this.#decode = decode;
    if (before === null) return;
    this.#fields = before.#fields;
    this.#headers = before.#headers;
  }

  get block(): HeaderBlock {
    return this.#block;
  }

  fieldsNamed(name: string): readonly HeaderField[] {
    this.#fields ??= this.#block.fields;
    return this.#fields.filter((field) => field.isNamed(name));
  }

  /** `headers.get(name) ?? []`, but no other field is decoded. */
  valuesOf(name: string): readonly string[] {
    if (this.#headers !== undefined) return this.#headers.get(name) ?? [];
    return this.fieldsNamed(name).map((field) => headerText(field.value, this.#decode));
  }
}

/** The decoded values of one field, by its name in lower case; `[]` if there is none. Few fields cost less than all of `headers`. */
export function fieldValues(header: HeaderFacts, name: string): readonly string[] {
  return header instanceof BlockFacts ? header.valuesOf(name) : (header.headers.get(name) ?? []);
}

/** How many fields have that name, in lower case; none is decoded. */
export function countFields(header: HeaderFacts, name: string): number {
  return header instanceof BlockFacts
    ? header.fieldsNamed(name).length
    : (header.headers.get(name)?.length ?? 0);
}

/** The facts of a split block. Total. */
export function factsOfBlock(block: HeaderBlock, decode: CharsetDecoder): BlockFacts {
  return new BlockFacts(block, decode);
}

/** The facts of a message's beginning, which may end anywhere after the blank line. Any bytes give facts. */
export function readHeaderFacts(bytes: Uint8Array, decode: CharsetDecoder): HeaderFacts {
  return factsOfBlock(splitHeaderBlock(bytes), decode);
}
