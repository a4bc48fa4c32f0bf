/** The charts: well-formed, everything inside, names apart. */
import { expect, test } from "vitest";
import { drawChart } from "../../bench/svg-chart.ts";

const SVG = drawChart({
  title: "cost <of> N & more",
  note: "lower is better",
  axis: "rules",
  showY: (value) => `${value} ns`,
  lines: [
    { name: "ours", points: [10, 100, 1_000].map((x) => ({ x, y: 40 + x / 100 })) },
    { name: "theirs", points: [10, 100, 1_000].map((x) => ({ x, y: x * 5 })) },
    {
      name: "others",
      points: [
        { x: 10, y: 51 },
        { x: 1_000, y: 5_100 },
      ],
    },
  ],
});

const numbers = (pattern: RegExp): number[] =>
  [...SVG.matchAll(pattern)].map(([, value]) => Number(value));

test("is one element with escaped text and balanced tags", () => {
  expect(SVG).toMatch(/^<svg [^>]*viewBox="0 0 \d+ 400"[^>]*>/);
  expect(SVG).toContain("cost &lt;of&gt; N &amp; more");
  const opened = SVG.match(/<[a-z]+/g)!.length;
  const closed = SVG.match(/<\/[a-z]+>|\/>/g)!.length;
  expect(opened).toBe(closed);
});

test("has a line and a dot a point, inside the picture, larger costs higher up", () => {
  expect(SVG.match(/<polyline/g)).toHaveLength(3);
  expect(SVG.match(/<circle/g)).toHaveLength(8);
  for (const x of numbers(/cx="([^"]+)"/g)) expect(x).toBeGreaterThan(0);
  const heights = numbers(/cy="([^"]+)"/g);
  expect(Math.min(...heights)).toBeGreaterThan(50);
  expect(Math.max(...heights)).toBeLessThan(360);
  expect(heights[5]).toBeLessThan(heights[3]!);
});

test("names at the ends do not stand on each other", () => {
  const ends = numbers(/<rect x="538" y="([^"]+)"/g).sort((a, b) => a - b);
  expect(ends).toHaveLength(3);
  for (const [index, y] of ends.slice(1).entries())
    expect(y - ends[index]!).toBeGreaterThanOrEqual(15.9);
});

test("nothing to draw is told, not drawn", () => {
  const nothing = { title: "t", note: "", axis: "n", showY: String, lines: [] };
  expect(() => drawChart(nothing)).toThrow("nothing to draw");
});
