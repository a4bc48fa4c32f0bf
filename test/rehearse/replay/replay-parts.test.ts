/** Parts of an mbox, routed apart and settled in order, give what routing the whole gives, numbers included. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type BatchResult, batchRouter } from "../../../src/rehearse/replay/replay-batch.ts";
import { endOfMbox, MBOX_START, settlePart } from "../../../src/rehearse/replay/replay-parts.ts";
import { planBatches } from "../../../src/rehearse/replay/replay-plan.ts";
import { type Tally, TallyCounter } from "../../../src/rehearse/replay/replay-tally.ts";
import { stampOf } from "../../../src/rehearse/replay/source-stamp.ts";

const folder = mkdtempSync(join(tmpdir(), "mailflow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const route = batchRouter({
  config: {
    domain: "shop.example",
    routing_engine: "rules",
    rules_fallback_email: "rest@else.test",
    rules: [
      {
        id: "fails",
        type: "cel",
        config: { expression: 'headers["x"][0] == ""', forward: "null" },
      },
      {
        id: "numbers",
        type: "regex",
        config: { regex: "number (\\d+)", scopes: ["subject"], forward: "n$1@else.test" },
      },
    ],
  },
  recipients: ["me@shop.example"],
  sender: null,
  lines: "wanted",
});

/** Every fourth is held together by its length, over what looks like the next message; some lengths are wrong. */
function message(number: number): string {
  const inner = `text\n\nFrom somebody\nSubject: number ${number}000\n\nmore\n`;
  const length = [inner.length, inner.length + 3, 300][number % 3];
  const field = number % 4 === 0 ? `Content-Length: ${length}\n` : "";
  return `From a@b Mon\nSubject: number ${number}\n${field}\n${number % 2 === 0 ? inner : "short\n"}\n`;
}
const name = `"quoted"#5.mbox`;
const path = join(folder, "mbox");
const mbox = Array.from({ length: 120 }, (_, index) => message(index + 1)).join("");
writeFileSync(path, mbox);

function counts(counter: TallyCounter): Omit<Tally, "slowest"> & { slow: number } {
  const { slowest, ...rest } = counter.tally();
  for (const slow of slowest) expect(slow.message).toMatch(/^"quoted"#5\.mbox#\d+$/);
  return { ...rest, slow: slowest.length };
}

async function inParts(
  partBytes: number,
): Promise<{ text: string; tally: unknown; again: number; parts: number }> {
  const counter = new TallyCounter("the first destinations");
  let [progress, text, again, parts] = [MBOX_START, "", 0, 0];
  for await (const batch of planBatches([{ path, name }], { partBytes })) {
    if (batch.kind !== "part") throw new Error("an mbox larger than a part is cut");
    parts++;
    const settled = await settlePart(batch, await route(batch), progress, (anew) => {
      again++;
      return route(anew);
    });
    progress = settled.progress;
    text += settled.text;
    counter.add(settled.tally);
    for (const each of endOfMbox(batch, progress)) counter.notMail(each);
  }
  return { text, tally: counts(counter), again, parts };
}

async function whole(): Promise<{ text: string; tally: unknown }> {
  const counter = new TallyCounter("the first destinations");
  const result: BatchResult = await route({
    kind: "files",
    files: [{ path, name, stamp: stampOf(statSync(path)), standing: "given" }],
    bytes: mbox.length,
  });
  counter.add(result.tally);
  return { text: result.text, tally: counts(counter) };
}

test.each([37, 100, 333, 1_000, 4_000])("parts of %i octets", async (partBytes) => {
  const { again, parts, ...settled } = await inParts(partBytes);
  expect(parts).toBe(Math.ceil(mbox.length / partBytes));
  expect(settled).toEqual(await whole());
  if (partBytes < 300) expect(again).toBeGreaterThan(5);
});

test("a file that is gone is told once", async () => {
  const counter = new TallyCounter("the first destinations");
  let progress = MBOX_START;
  for await (const batch of planBatches([{ path, name }], { partBytes: 1_000 })) {
    if (batch.kind !== "part") throw new Error("an mbox larger than a part is cut");
    const gone = { ...batch, path: join(folder, "gone") };
    const settled = await settlePart(gone, await route(gone), progress, route);
    progress = settled.progress;
    counter.add(settled.tally);
  }
  const { unreadable, bytes, unreadableFirst } = counter.tally();
  expect(unreadable).toBe(1);
  expect(bytes).toBe(mbox.length);
  const failure = `cannot read \`${name}\`: there is no such file`;
  expect(unreadableFirst).toEqual([{ name, failure }]);
});
