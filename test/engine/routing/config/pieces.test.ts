/** A cache keeps what was used last, and counts what it was spared. */
import { expect, test } from "vitest";
import { BoundedCache } from "../../../../src/engine/routing/config/pieces.ts";

/** Gets each letter of `keys`, and returns those that had to be made. */
function madeOf(cache: BoundedCache<string>, keys: string): string {
  let made = "";
  for (const key of keys) {
    const value = cache.get(key, () => {
      made += key;
      return key.toUpperCase();
    });
    expect(value).toBe(key.toUpperCase());
  }
  return made;
}

test("the entry that was not used for longest makes room for a new one", () => {
  const cache = new BoundedCache<string>(4);
  expect(madeOf(cache, "abcdaabbcdab")).toBe("abcd");
  expect(madeOf(cache, "e")).toBe("e");
  expect(madeOf(cache, "dabe")).toBe("");
  expect(madeOf(cache, "c")).toBe("c");
  expect(madeOf(cache, "abec")).toBe("");
  expect(cache).toMatchObject({ size: 4, misses: 6, hits: 16 });
});

test("nothing that could not be made is kept, and nothing at all without room", () => {
  const cache = new BoundedCache<string>(1);
  expect(cache.get("a", () => null)).toBeNull();
  expect(cache.size).toBe(0);
  expect(madeOf(cache, "aa")).toBe("a");
  const none = new BoundedCache<string>(0);
  expect(madeOf(none, "aba")).toBe("aba");
  expect(none).toMatchObject({ size: 0, misses: 3, hits: 0 });
});
