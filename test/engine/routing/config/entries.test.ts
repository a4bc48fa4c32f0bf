/** Which of two entries is the older. */
import { expect, test } from "vitest";
import { byAge } from "../../../../src/engine/routing/config/entries.ts";

test("entries are ordered by creation time, then id; without a time, last", () => {
  const entries = [1, 2, Number.POSITIVE_INFINITY].flatMap((createdMs) =>
    ["a", "b", "c"].map((id) => ({ createdMs, id })),
  );
  entries.forEach((one, nth) => {
    entries.forEach((other, place) => {
      expect(Math.sign(byAge(one, other))).toBe(Math.sign(nth - place));
    });
  });
});
