/** A snapshot as lines of JSON, written and read in pieces: no text of it is ever whole. */
import { LIMITS } from "../../base/limits.ts";
import { fieldErrorsOf } from "../model/issues.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { Row } from "../store/store.ts";
import { type SimulatorSnapshot, SNAPSHOT, SNAPSHOT_HEAD } from "./snapshot.ts";

function* linesOf({ store, ...rest }: SimulatorSnapshot): Generator<string> {
  yield JSON.stringify(rest);
  for (const [table, rows] of Object.entries(store)) {
    for (const row of rows) yield JSON.stringify({ table, row });
  }
}

/** Octets of a piece of the answer. */
const PIECE_UNITS = 65_536;

export function snapshotStream(snapshot: SimulatorSnapshot): Response {
  const lines = linesOf(snapshot);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      let piece = "";
      while (piece.length < PIECE_UNITS) {
        const { value, done } = lines.next();
        if (done === true) {
          if (piece !== "") controller.enqueue(encoder.encode(piece));
          controller.close();
          return;
        }
        piece += `${value}\n`;
      }
      controller.enqueue(encoder.encode(piece));
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

/** The lines of a body, of which no single one is longer than a request may be. */
async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  /** Pieces of a line that has not ended. */
  let begun: string[] = [];
  let units = 0;
  for await (const chunk of body) {
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

interface Line {
  readonly table?: unknown;
  readonly row?: unknown;
}

function parseLine(text: string, line: number): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    throw refused(line, `it is not JSON: ${(error as Error).message}`);
  }
  throw refused(line, "it is no object");
}

function addRow(store: Record<string, Row[]>, { table, row }: Line, line: number): void {
  if (typeof table !== "string" || typeof row !== "object" || row === null) {
    throw refused(line, "give `table` and `row`");
  }
  const rows = Object.hasOwn(store, table) ? store[table]! : [];
  rows.push(row as Row);
  store[table] = rows;
}

/** What `snapshotStream` wrote, or the same as one JSON object; throws 400 for anything else. */
export async function readSnapshot({ body }: Request): Promise<SimulatorSnapshot> {
  let head: Line | undefined;
  /** Rows are held once, as they will be stored. */
  const store: Record<string, Row[]> = {};
  let line = 0;
  for await (const text of body === null ? [] : linesIn(body)) {
    line++;
    if (text.trim() === "") continue;
    const read = parseLine(text, line);
    if (head === undefined) head = read;
    else addRow(store, read, line);
  }
  if (head === undefined) throw refused(1, "the body is empty: send a snapshot");
  const read = "store" in head ? SNAPSHOT.safeParse(head) : SNAPSHOT_HEAD.safeParse(head);
  if (read.success) return { store, ...read.data };
  const errors = fieldErrorsOf(read.error, "bare");
  const [field, [message] = []] = Object.entries(errors)[0]!;
  throw new ServiceProblem(400, `\`${field}\` is not of a snapshot: ${message}`, errors);
}
