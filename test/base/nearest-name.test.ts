import { describe, expect, test } from "vitest";
import { nearestName } from "../../src/base/nearest-name.ts";

describe("nearestName", () => {
  test.each([
    ["rotue", "route"],
    ["chek", "check"],
    ["ROUTE", "route"],
    ["route", "route"],
    ["explode", undefined],
    ["", undefined],
    ["x".repeat(1_000), undefined],
  ])("%s", (written, found) => {
    expect(nearestName(written, ["route", "check"])).toBe(found);
  });

  test("prefers fewer edits", () => {
    expect(nearestName("sale", ["sail", "sales", "sale1"])).toBe("sales");
  });
});
