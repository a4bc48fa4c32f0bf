/** What rows hold of a message: its octets, and the fields added on top of them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, octetsOf } from "../../../src/simulator/store/held-content.ts";

test("content is the added text, then the octets, and counts both", () => {
  fc.assert(
    fc.property(fc.option(fc.string({ unit: "grapheme" })), fc.uint8Array(), (added, octets) => {
      const base64 = Buffer.from(octets).toString("base64");
      const held = added === null ? { base64 } : { added, base64 };
      const whole = Buffer.concat([Buffer.from(added ?? ""), octets]);
      expect(Buffer.from(octetsOf(held)).equals(whole)).toBe(true);
      expect(bytesOf(held)).toBe(whole.length);
    }),
    { seed: 20261123, numRuns: 300 },
  );
});
