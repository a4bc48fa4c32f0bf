import { expect, test } from "vitest";
import { joinFlowed } from "../../../src/message/text/flowed-text.ts";

test.each([
  ["a \nb\n", "a b\n"],
  ["a\nb", "a\nb"],
  ["  stuffed\n From here\n", " stuffed\nFrom here\n"],
  ["> a \n> b\nc", "> a b\nc"],
  ["> a \n>> b\n", "> a \n>> b\n"],
  ["text \n-- \nAnn \nB", "text \n-- \nAnn B"],
  ["> \n>\n> x", ">\n>\n> x"],
  ["last \n", "last "],
  ["end \n\nnext", "end \nnext"],
  ["", ""],
])("%j becomes %j", (text, joined) => {
  expect(joinFlowed(text, "keep")).toBe(joined);
});

test("delsp takes the blank with the break", () => {
  expect(joinFlowed("so \nft\nhard ", "delsp")).toBe("soft\nhard ");
});

test("it is linear: a million soft lines", () => {
  expect(joinFlowed("x \n".repeat(1_000_000), "delsp")).toBe("x".repeat(1_000_000));
});
