/**
 * A snapshot that goes out, as lines of JSON. The rows are written to a file first, page by page: so they are of one moment and never
 * all in memory, and no transaction waits for a client that reads slowly.
 */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TablePage } from "../store/store.ts";
import type { Parts } from "./parts.ts";
import { snapshotAround } from "./snapshot.ts";

/** Octets of a piece of the answer, and code units of lines that are written at once. */
const PIECE_BYTES = 65_536;

/** Writes the rows of a page; how many there were. */
async function writeRows(file: FileHandle, { table, rows }: TablePage): Promise<number> {
  let piece = "";
  for (const row of rows) {
    piece += `${JSON.stringify({ table, row })}\n`;
    if (piece.length < PIECE_BYTES) continue;
    await file.appendFile(piece);
    piece = "";
  }
  if (piece !== "") await file.appendFile(piece);
  return rows.length;
}

/** A snapshot whose rows wait in a file. */
export interface SpooledSnapshot {
  /** The first line. */
  readonly head: string;
  /** The rows, a line each. */
  readonly file: FileHandle;
  remove(): Promise<void>;
}

export async function spoolSnapshot(parts: Parts): Promise<SpooledSnapshot> {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-snapshot-"));
  let file: FileHandle | undefined;
  const remove = async (): Promise<void> => {
    await file?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const spooled = await open(join(folder, "rows"), "wx+", 0o600);
    file = spooled;
    let count = 0;
    const head = await snapshotAround(parts, () =>
      parts.service.store.readPages(async (page) => {
        count += await writeRows(spooled, page);
      }),
    );
    return { head: `${JSON.stringify({ ...head, rows: count })}\n`, file: spooled, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Reads on when the client takes more; the file goes when all is read, or the client has gone. */
export function snapshotAnswer({ head, file, remove }: SpooledSnapshot): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
      async pull(controller) {
        const { bytesRead, buffer } = await file.read({
          buffer: new Uint8Array(PIECE_BYTES),
          position: at,
        });
        at += bytesRead;
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
        await remove();
        controller.close();
      },
      cancel: remove,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}
