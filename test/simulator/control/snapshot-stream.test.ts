/** Snapshots over HTTP: written and read line by line. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { ask, json } from "../client.ts";
import { open, receive } from "./open.ts";

/** A body in pieces that end anywhere. */
function inPieces(text: string, units: number): ReadableStream<Uint8Array> {
  const octets = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= octets.length) return controller.close();
      controller.enqueue(octets.subarray(at, at + units));
      at += units;
    },
  });
}

async function restore(
  simulator: Awaited<ReturnType<typeof open>>,
  body: ReadableStream<Uint8Array>,
): Promise<Response> {
  const init = { method: "POST", body, duplex: "half" };
  return simulator.fetch(new Request("http://simulator.test/_sim/restore", init as RequestInit));
}

test("what is no table comes first, then a row a line; it is restored in pieces of any length", async () => {
  const simulator = await open();
  await receive(simulator, ["info@own.test"], "größer");
  const { text, headers } = await ask(simulator, "GET /_sim/snapshot");
  expect(headers.get("content-type")).toBe("application/x-ndjson");
  const [head, ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(Object.keys(head)).not.toContain("store");
  expect(new Set(rows.flatMap((row) => Object.keys(row)))).toEqual(new Set(["table", "row"]));
  for (const units of [1, 7, 65_536]) {
    const other = await open();
    expect((await restore(other, inPieces(text, units))).status).toBe(204);
    expect(await other.control.snapshot()).toEqual(await simulator.control.snapshot());
  }
});

test.each([
  ["nothing", "", "line 1"],
  ["no JSON", "{}\nnonsense\n", "line 2"],
  ["a row without its table", '{"format":"x"}\n{"row":{}}\n', "line 2"],
  ["a list", "[]\n1\n", "line 2"],
])("%s is refused with its line, and changes nothing", async (_, text, place) => {
  const simulator = await open();
  const before = await simulator.control.snapshot();
  const said = await restore(simulator, inPieces(text, 3));
  expect([said.status, (await said.text()).includes(place)]).toEqual([400, true]);
  expect(await simulator.control.snapshot()).toEqual(before);
});

test("a line that never ends is refused before it is held", async () => {
  const simulator = await open();
  const chunk = new Uint8Array(1_048_576).fill(120);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  expect((await restore(simulator, endless)).status).toBe(413);
  expect(sent).toBeLessThan(LIMITS.controlBodyBytesMax + 4 * chunk.length);
  await json(simulator, "GET /_sim/clock");
});
