/** A snapshot as lines of JSON, written in pieces: no text of it is ever whole. */
import type { SimulatorSnapshot } from "./snapshot.ts";

function* linesOf({ store, ...head }: SimulatorSnapshot): Generator<string> {
  const tables = Object.entries(store);
  const count = tables.reduce((sum, [, rows]) => sum + rows.length, 0);
  yield JSON.stringify({ ...head, rows: count });
  for (const [table, rows] of tables) {
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
