/** Messages of several gigabytes, which nobody holds: each is one chunk, given again and again. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import {
  headerFacts,
  messageFacts,
  route,
  stagedMessage,
  wholeMessage,
} from "../../src/message/index.ts";

const CHUNK_BYTES = 1_048_576;
const GIGABYTES = 3;
const HEAD = Buffer.from("From: a@sender.test\nSubject: offer\nContent-Type: text/html\n\n");
const BODY = Buffer.alloc(CHUNK_BYTES, "<p>body</p>\n");
/** Lower than the usual bound, so that what is held shows. */
const MAX = 4 * CHUNK_BYTES;
const LIMITED = { limits: { messageBytesMax: MAX } };

interface Source extends AsyncIterable<Uint8Array> {
  given: number;
  closed: number;
  /** The most octets of buffers that this process had while chunks were asked for, beyond those before the first. */
  heldMax: number;
}

/** The head, then the chunk `times` times. */
function repeating(head: Uint8Array, chunk: Uint8Array, times: number): Source {
  const before = process.memoryUsage().arrayBuffers;
  const source: Source = {
    given: 0,
    closed: 0,
    heldMax: 0,
    async *[Symbol.asyncIterator]() {
      try {
        for (; source.given <= times; source.given++) {
          if (source.given % 16 === 0) {
            const held = process.memoryUsage().arrayBuffers - before;
            source.heldMax = Math.max(source.heldMax, held);
          }
          yield source.given === 0 ? head : chunk;
        }
      } finally {
        source.closed++;
      }
    },
  };
  return source;
}

const gigabytes = (): Source => repeating(HEAD, BODY, GIGABYTES * 1_024);
const endless = (head: Uint8Array, chunk: Uint8Array): Source => repeating(head, chunk, Infinity);

function domainOf(scope: "subject" | "body"): CompiledDomain {
  const config = { regex: scope === "body" ? "nowhere" : "offer", scopes: [scope] };
  const compiled = compileDomain({
    domain: "own.test",
    routing_engine: "rules",
    rules: [{ id: scope, type: "regex", config: { ...config, forward: "x@else.test" } }],
  });
  if (!compiled.ok) throw new Error("the test's domain does not compile");
  return compiled.domain;
}

describe("an endless message", () => {
  test("that the header decides is never read further, and closed", async () => {
    const source = endless(HEAD, BODY);
    const envelope = { recipient: "a@own.test" };
    const { decision, stage } = await route(domainOf("subject"), envelope, source);
    expect([decision.decidedBy?.id, stage]).toEqual(["subject", "header"]);
    expect(source).toMatchObject({ given: 0, closed: 1 });
  });

  test("whose header never ends is read to the bound of headers", async () => {
    const field = Buffer.alloc(4_096, "X: y\n");
    for (const read of [
      (source: Source) => headerFacts(source),
      (source: Source) => stagedMessage(source).upTo("header"),
    ]) {
      const source = endless(HEAD.subarray(0, -1), field);
      const facts = await read(source);
      expect(facts).toMatchObject({ from: "a@sender.test", subject: "offer" });
      expect(source.given).toBe(LIMITS.headerBlockBytesMax / field.length);
    }
  });

  test("one line without end, too", async () => {
    const source = endless(Buffer.from("From: a@sender.test\nX: "), Buffer.alloc(4_096, "x"));
    const facts = await headerFacts(source);
    expect(facts.from).toBe("a@sender.test");
    expect(facts.problems.map(({ code }) => code)).toEqual(["header-too-long"]);
    expect(source.given).toBeLessThan(70);
  });
});

describe(`a message of ${GIGABYTES} GB`, () => {
  test("is held to its bound, counted to its end, and its text is cut", async () => {
    const source = gigabytes();
    const { body, size, problems } = await messageFacts(source, LIMITED);
    expect(size).toBe(HEAD.length + GIGABYTES * 1_024 * CHUNK_BYTES);
    expect(body.length).toBeLessThanOrEqual(LIMITS.factUnitsMax);
    expect(problems.map(({ code }) => code)).toEqual(["message-too-large", "body-cut"]);
    expect(source.closed).toBe(1);
    // The buffer, and those it outgrew.
    expect(source.heldMax).toBeLessThan(3 * MAX);
  });

  test("so too when recipients share it, and when it is read whole", async () => {
    const shared = gigabytes();
    const message = stagedMessage(shared, LIMITED);
    const routed = await Promise.all(
      ["a", "b"].map((user) => route(domainOf("body"), { recipient: `${user}@own.test` }, message)),
    );
    expect(routed.map(({ stage }) => stage)).toEqual(["body", "body"]);
    await expect(message.octets()).rejects.toThrow(RangeError);
    expect(shared.heldMax).toBeLessThan(3 * MAX);

    const whole = gigabytes();
    const { html, size } = await wholeMessage(whole, LIMITED);
    expect(size).toBeGreaterThan(GIGABYTES * 1e9);
    expect(html.length).toBeLessThanOrEqual(MAX);
    expect(whole.heldMax).toBeLessThan(3 * MAX);
  });
});
