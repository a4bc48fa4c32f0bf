/** What the page puts in the place of Node's `Buffer` answers as that does, wherever the reader of an mbox asks. */
import { Buffer as NodeBuffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Buffer as PageBuffer } from "../../src/page/shim/buffer.ts";

const octets = fc.array(fc.constantFrom(10, 13, 62, 70, 114, 111, 109, 32, 255), { maxLength: 40 });

test("indexOf, toString, equals, concat and from", () => {
  const wanted = NodeBuffer.from("\nFrom ");
  let found = 0;
  fc.assert(
    fc.property(octets, octets, fc.boolean(), fc.nat(40), fc.nat(40), (a, b, isIn, from, to) => {
      const all = isIn ? [...a, ...wanted, ...b] : [...a, ...b];
      const node = NodeBuffer.from(all);
      const page = PageBuffer.from(Uint8Array.from(all).buffer);
      const at = node.indexOf(wanted, from);
      if (at >= 0) found++;
      expect(page.indexOf(wanted, from)).toBe(at);
      expect(page.indexOf(10, from)).toBe(node.indexOf(10, from));
      expect(page.toString("latin1", from, to)).toBe(node.toString("latin1", from, to));
      expect((page.subarray(from, to) as typeof page).equals(node.subarray(from, to))).toBe(true);
      expect(page.equals(NodeBuffer.from(a))).toBe(node.equals(NodeBuffer.from(a)));
      expect([...PageBuffer.concat([page, node])]).toEqual([...NodeBuffer.concat([node, node])]);
      expect([...page.subarray(from).subarray(1)]).toEqual([...node.subarray(from).subarray(1)]);
    }),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(40);
  expect([...PageBuffer.from("From ")]).toEqual([...NodeBuffer.from("From ")]);
  expect(PageBuffer.allocUnsafe(7)).toHaveLength(7);
});
