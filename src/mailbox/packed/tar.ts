/** Reads tar archives (POSIX.1-2001, GNU tar and older forms) from a stream: every member before damage. */
import { nameOfBytes } from "../path-bytes.ts";
import { damage, type OnNote } from "./damage.ts";
import type { ArchivedFile, UnreadMember } from "./zip.ts";

/** A member of a tar archive without octets of its own. */
export interface BareMember {
  readonly name: string;
  readonly type: "hard link" | "symbolic link" | "device";
}

const BLOCK_BYTES = 512;
/** Octets of a name or of pax records: a path has 4 KB, and attributes of a file have 64 KB on Linux. */
const RECORDS_BYTES_MAX = 1_048_576;

const BARE: Readonly<Record<string, BareMember["type"]>> = {
  "1": "hard link",
  "2": "symbolic link",
  "3": "device",
  "4": "device",
  "6": "device",
};

/** The octets of an archive, and which of them the current member has left. */
class Octets {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);
  #failure: { readonly error: unknown } | null = null;
  /** Octets of the current member that were not read, and those that fill its last block. */
  #left = 0;
  #filling = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Holds at least one octet; `false` at the end. Throws what the source threw, each time. */
  async #fill(): Promise<boolean> {
    if (this.#failure !== null) throw this.#failure.error;
    while (this.#held.length === 0) {
      try {
        const next = await this.#source.next();
        if (next.done === true) return false;
        this.#held = next.value;
      } catch (error) {
        this.#failure = { error };
        throw error;
      }
    }
    return true;
  }

  /** So many octets; fewer at the end. */
  async take(count: number): Promise<Buffer> {
    const taken: Uint8Array[] = [];
    for (let missing = count; missing > 0 && (await this.#fill()); ) {
      const piece = this.#held.subarray(0, missing);
      this.#held = this.#held.subarray(piece.length);
      missing -= piece.length;
      // A copy: the source may use its memory again.
      taken.push(new Uint8Array(piece));
    }
    return Buffer.concat(taken);
  }

  /** Begins a member. */
  begin(size: number): void {
    this.#left = size;
    this.#filling = -size & (BLOCK_BYTES - 1);
  }

  /** The octets of the member that were not read yet. */
  async *member(): AsyncGenerator<Uint8Array, void, void> {
    while (this.#left > 0) {
      if (!(await this.#fill())) throw damage("the archive is cut off", "Z_BUF_ERROR");
      const piece = this.#held.subarray(0, this.#left);
      this.#held = this.#held.subarray(piece.length);
      this.#left -= piece.length;
      yield piece;
    }
  }

  /** Passes over what is left of the member. */
  async end(): Promise<void> {
    for await (const _ of this.member());
    await this.take(this.#filling);
    this.#filling = 0;
  }

  /** Whether all octets to the end are zero. Stops at the first that is not. */
  async areZeros(): Promise<boolean> {
    while (await this.#fill()) {
      if (this.#held.some((octet) => octet !== 0)) return false;
      this.#held = new Uint8Array(0);
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** The text of a field of the header, which a NUL ends. */
function textAt(block: Buffer, start: number, end: number): string {
  const field = block.subarray(start, end);
  const nul = field.indexOf(0);
  return nameOfBytes(nul === -1 ? field : field.subarray(0, nul));
}

/** A number of the header: octal, or binary where it begins with the highest bit (GNU tar). */
function numberAt(block: Buffer, start: number, end: number): number {
  let value = 0;
  if (block[start]! >= 0x80) {
    if (block[start] === 0x80)
      for (const octet of block.subarray(start + 1, end)) value = value * 256 + octet;
    else value = Number.NaN;
  } else {
    const written = /^ *([0-7]*)(?:[ \0]|$)/.exec(block.toString("latin1", start, end))?.[1];
    value = written === undefined ? Number.NaN : Number.parseInt(written || "0", 8);
  }
  if (!Number.isSafeInteger(value)) throw damage("a number of the archive cannot be read");
  return value;
}

/** Throws if the header's checksum is wrong. Old programs added signed octets. */
function checkSum(block: Buffer): void {
  const written = numberAt(block, 148, 156);
  let [unsigned, signed] = [0, 0];
  for (let at = 0; at < BLOCK_BYTES; at++) {
    const octet = at >= 148 && at < 156 ? 32 : block[at]!;
    unsigned += octet;
    signed += (octet << 24) >> 24;
  }
  if (written !== unsigned && written !== signed) throw damage("a header of the archive is wrong");
}

/** The records of a pax header: `<length> <key>=<value>` and a line feed. */
function paxRecords(octets: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < octets.length; ) {
    const length = /^(\d{1,7}) /.exec(octets.toString("latin1", at, at + 8));
    const end = at + Number(length?.[1]);
    const text = octets.subarray(at + (length?.[0].length ?? 0), end - 1);
    const equals = text.indexOf("=");
    if (!(end > at) || end > octets.length || octets[end - 1] !== 10 || equals < 1) {
      throw damage("a pax header of the archive is wrong");
    }
    records.set(text.toString("latin1", 0, equals), nameOfBytes(text.subarray(equals + 1)));
    at = end;
  }
  return records;
}

/** What the headers before a member say of it. */
interface Ahead {
  name?: string;
  size?: number;
  isSparse?: boolean;
}

function aheadOf(records: ReadonlyMap<string, string>): Ahead {
  const [name, size] = [records.get("path"), records.get("size")];
  const isSparse = [...records.keys()].some((key) => key.startsWith("GNU.sparse."));
  if (size !== undefined && !(/^\d+$/.test(size) && Number.isSafeInteger(Number(size)))) {
    throw damage("a size in the archive cannot be read");
  }
  return {
    ...(name !== undefined && { name }),
    ...(size !== undefined && { size: Number(size) }),
    ...(isSparse && { isSparse }),
  };
}

/** The content of a member that describes the next one. */
async function recordsIn(octets: Octets, size: number): Promise<Buffer> {
  if (size > RECORDS_BYTES_MAX) throw damage("a header of the archive is too long");
  const content: Uint8Array[] = [];
  octets.begin(size);
  for await (const piece of octets.member()) content.push(new Uint8Array(piece));
  await octets.end();
  return Buffer.concat(content);
}

function nameIn(block: Buffer): string {
  const name = textAt(block, 0, 100);
  // GNU tar has other fields in the place of the prefix.
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? textAt(block, 345, 500) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/**
 * The members of a tar archive but folders, in its order. Throws if the archive is damaged or cut off. `onNote` is
 * called if something else follows it.
 */
export async function* tarFiles(
  source: AsyncIterable<Uint8Array>,
  onNote: OnNote,
): AsyncGenerator<ArchivedFile | UnreadMember | BareMember, void, void> {
  const octets = new Octets(source);
  let everywhere: Ahead = {};
  let ahead: Ahead = {};
  try {
    for (;;) {
      const block = await octets.take(BLOCK_BYTES);
      if (block.length < BLOCK_BYTES) throw damage("the archive is cut off", "Z_BUF_ERROR");
      if (block.every((octet) => octet === 0)) {
        if (!(await octets.areZeros())) onNote("something else follows the archive: not read");
        return;
      }
      checkSum(block);
      const type = String.fromCharCode(block[156]!);
      const written = numberAt(block, 124, 136);
      if (type === "x" || type === "g" || type === "L" || type === "K") {
        const content = await recordsIn(octets, written);
        if (type === "g") everywhere = { ...everywhere, ...aheadOf(paxRecords(content)) };
        if (type === "x") ahead = { ...ahead, ...aheadOf(paxRecords(content)) };
        if (type === "L") ahead = { ...ahead, name: textAt(content, 0, content.length) };
        continue;
      }
      const told = { ...everywhere, ...ahead };
      ahead = {};
      const name = (told.name ?? nameIn(block)).replace(/^(?:\.?\/)+/, "");
      const bare = BARE[type];
      if (bare !== undefined || type === "5") {
        if (bare !== undefined) yield { name, type: bare };
        continue;
      }
      // More of the map of an old sparse file.
      for (let map = block, at = 482; type === "S" && map[at] === 1; at = 504) {
        map = await octets.take(BLOCK_BYTES);
      }
      octets.begin(told.size ?? written);
      if (told.isSparse === true || type === "S") {
        yield { name, failure: new Error("it is a sparse file: unpack it first") };
      } else if (!name.endsWith("/")) yield { name, stream: octets.member() };
      await octets.end();
    }
  } finally {
    await octets.close();
  }
}
