import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanCode } from "../../../../scripts/build-scan.ts";
import {
  type ByteWriter,
  createByteWriter,
  createPlainWriter,
} from "../../../../src/engine/pattern/search/low-bytes.ts";
import { createSimdKernel } from "../../../../src/engine/pattern/search/scan-kernel.ts";
import { fuzzRuns } from "../fuzz-runs.ts";

test("the code in the engine is that of its source", async () => {
  const file = new URL("../../../../src/engine/pattern/search/scan-code.ts", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(await scanCode());
});

test("without WebAssembly there is no such kernel", () => {
  const host = globalThis as { WebAssembly?: unknown };
  const kept = host.WebAssembly;
  try {
    delete host.WebAssembly;
    expect(createSimdKernel()).toBeNull();
  } finally {
    host.WebAssembly = kept;
  }
});

describe.each([
  ["the host's", createByteWriter],
  ["any", createPlainWriter],
])("%s writer", (_, create: (target: Uint8Array) => ByteWriter) => {
  test("writes the low byte of each unit", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 700 }),
      fc.string({ unit: "binary", maxLength: 700 }).map((given) => given.toWellFormed()),
    );
    fc.assert(
      fc.property(text, (given) => {
        const target = new Uint8Array(2_000);
        create(target)(given);
        const low = Array.from({ length: given.length }, (__, at) => given.charCodeAt(at) & 0xff);
        expect([...target.subarray(0, given.length)]).toEqual(low);
      }),
      fuzzRuns(500),
    );
  });
});
