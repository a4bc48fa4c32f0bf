/** Receives a snapshot into a file until it is complete and checked, so that it is never in memory as a whole. */
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldErrorsOf } from "../../base/issues.ts";
import { LIMITS } from "../../base/limits.ts";
import { ServiceProblem } from "../model/problem.ts";
import { pagesOf, type Row, type TablePage } from "../store/store.ts";
import { SNAPSHOT, SNAPSHOT_HEAD, type SnapshotHead, type SnapshotSource } from "./snapshot.ts";

type Octets = AsyncIterable<Uint8Array>;

/** A client that goes away has sent no snapshot. */
async function* octetsOf(body: Request["body"]): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch (error) {
    throw new ServiceProblem(400, `the snapshot was cut off: ${(error as Error).message}`);
  }
}

/** Writes passing chunks to a file. */
async function* copiedTo(path: string, octets: Octets): AsyncGenerator<Uint8Array> {
  const file = await open(path, "wx", 0o600);
  let left = LIMITS.snapshotBytesMax;
  try {
    for await (const chunk of octets) {
      left -= chunk.length;
      if (left < 0) {
        const message = `the snapshot is too large: at most ${LIMITS.snapshotBytesMax} octets are read`;
        throw new ServiceProblem(413, message);
      }
      await file.writeFile(chunk);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

/** The lines of a text, of which no single one is longer than a request may be. */
async function* linesIn(octets: Octets): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  /** Pieces of an unfinished line. */
  let begun: string[] = [];
  let units = 0;
  for await (const chunk of octets) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const last = lines.pop()!;
    if (lines.length > 0) {
      lines[0] = begun.join("") + lines[0]!;
      begun = [];
      units = 0;
      yield* lines;
    }
    begun.push(last);
    units += last.length;
    if (units > LIMITS.controlBodyBytesMax) {
      const message = `a line is too long: at most ${LIMITS.controlBodyBytesMax} octets are read`;
      throw new ServiceProblem(413, message);
    }
  }
  yield begun.join("") + decoder.decode();
}

function refused(line: number, reason: string): ServiceProblem {
  return new ServiceProblem(400, `line ${line} of the snapshot: ${reason}`, { "": [reason] });
}

interface SpoolLine {
  /** Line number, from 1. */
  readonly number: number;
  readonly units: number;
  readonly value: object;
}

function parseLine(text: string, number: number): SpoolLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(number, `it is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null) return { number, units: text.length, value };
  throw refused(number, "it is not an object");
}

/** The lines that are not blank. */
async function* parsedLines(octets: Octets): AsyncGenerator<SpoolLine> {
  let number = 0;
  for await (const text of linesIn(octets)) {
    number++;
    if (text.trim() !== "") yield parseLine(text, number);
  }
}

interface RowLine {
  readonly table: string;
  readonly row: Row;
}

function rowOf({ value, number }: SpoolLine): RowLine {
  const { table, row } = value as { readonly table?: unknown; readonly row?: unknown };
  if (typeof table === "string" && typeof row === "object" && row !== null) {
    return { table, row: row as Row };
  }
  throw refused(number, "give `table` and `row`");
}

/** The first line: of a snapshot in lines, or a snapshot that is one JSON object. */
interface First extends SnapshotSource {
  /** How many lines follow; undefined if the snapshot does not say. */
  readonly rows: number | undefined;
}

function firstOf({ value }: SpoolLine, path: string): First {
  const isWhole = "store" in value;
  const read = isWhole ? SNAPSHOT.safeParse(value) : SNAPSHOT_HEAD.safeParse(value);
  if (!read.success) {
    const errors = fieldErrorsOf(read.error, "bare");
    const [field, [message] = []] = Object.entries(errors)[0]!;
    throw new ServiceProblem(400, `\`${field}\` is not of a snapshot: ${message}`, errors);
  }
  if ("store" in read.data) {
    const { store, ...head } = read.data;
    return { head, rows: 0, pages: () => pagesOf(store) };
  }
  const { rows, ...head } = read.data as SnapshotHead & { readonly rows?: number };
  return { head, rows, pages: () => pagesIn(path) };
}

/** Rows, and code units of their lines, of a page. */
const PAGE_ROWS = 500;
const PAGE_UNITS = 1_048_576;

/** The rows of a checked file. */
async function* pagesIn(path: string): AsyncGenerator<TablePage> {
  let table = "";
  let rows: Row[] = [];
  let units = 0;
  const lines = parsedLines(createReadStream(path));
  await lines.next();
  for await (const line of lines) {
    const read = rowOf(line);
    const isFull = rows.length === PAGE_ROWS || units >= PAGE_UNITS;
    if (rows.length > 0 && (isFull || read.table !== table)) {
      yield { table, rows };
      rows = [];
      units = 0;
    }
    table = read.table;
    rows.push(read.row);
    units += line.units;
  }
  if (rows.length > 0) yield { table, rows };
}

/** Writes the body to the file; throws 400 with the line if it is not a complete snapshot. */
async function spool(body: Request["body"], path: string): Promise<SnapshotSource> {
  let first: First | undefined;
  let count = 0;
  for await (const line of parsedLines(copiedTo(path, octetsOf(body)))) {
    if (first === undefined) first = firstOf(line, path);
    else {
      rowOf(line);
      count++;
    }
  }
  if (first === undefined) throw refused(1, "the body is empty: send a snapshot");
  const { rows = count } = first;
  if (rows === count) return first;
  const message = `expected ${rows} rows, but ${count} came: the snapshot is not whole`;
  throw new ServiceProblem(400, message, { rows: [message] });
}

/** Passes the snapshot of a request to `use` once it is complete: as `snapshotAnswer` wrote it, or as one JSON object. */
export async function withSnapshot<Result>(
  { body }: Request,
  use: (source: SnapshotSource) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-snapshot-"));
  try {
    return await use(await spool(body, join(folder, "lines")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
