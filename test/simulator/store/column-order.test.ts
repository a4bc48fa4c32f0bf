import { describe, expect, test } from "vitest";
import { compareColumns, compareText } from "../../../src/simulator/store/column-order.ts";

describe("the order of columns", () => {
  test("texts are ordered by code point, not by code unit", () => {
    const texts = ["😀", "\uFFFD", "\uE000", "é", "b", "a", "B", "ab", "", "\u{10FFFF}", "日"];
    const wanted = ["", "B", "a", "ab", "b", "é", "日", "\uE000", "\uFFFD", "😀", "\u{10FFFF}"];
    expect(texts.toSorted(compareText)).toEqual(wanted);
  });

  test("kinds come as booleans, numbers, texts, null", () => {
    const values = [null, "a", 2, true, undefined, "", -1, false];
    const wanted = [false, true, -1, 2, "", "a", null, undefined];
    expect(values.toSorted(compareColumns).slice(0, 7)).toEqual(wanted.slice(0, 7));
    expect(compareColumns(null, undefined)).toBe(0);
    expect(compareColumns(true, true)).toBe(0);
  });

  test("a text is less than one that goes on", () => {
    expect(Math.sign(compareText("ab", "abc"))).toBe(-1);
    expect(Math.sign(compareText("abc", "ab"))).toBe(1);
  });
});
