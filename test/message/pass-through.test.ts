/** A message that is decided and passed on: octet for octet, whoever reads first, and whatever breaks. */
import { fork } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import {
  messageFacts,
  messageFactsOf,
  route,
  type StagedMessage,
  type StagedOptions,
  stagedMessage,
} from "../../src/message/index.ts";
import { anyMail } from "./any-mail.ts";
import type { Passed } from "./pass-through-memory.child.ts";

const ENVELOPE = { recipient: "a@own.test" };
const HEAD = "From: a@b.test\nSubject: offer\n\n";

function domainOf(rules: Readonly<Record<string, unknown>>): CompiledDomain {
  const compiled = compileDomain({
    domain: "own.test",
    routing_engine: "rules",
    rules: Object.entries(rules).map(([id, rule]) => {
      const { type, ...config } = rule as { type: string };
      return { id, type, config: { ...config, forward: "x@else.test" } };
    }),
  });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.domain;
}

const bySubject = domainOf({ s: { type: "regex", regex: "offer", scopes: ["subject"] } });
const byBody = domainOf({ b: { type: "regex", regex: "urgent", scopes: ["body"] } });
const bySize = domainOf({ z: { type: "cel", expression: "size > 100" } });

interface Source extends AsyncIterable<Uint8Array> {
  given: number;
  closed: number;
}

function sourceOf(text: string | Uint8Array, length: number, failsAt = Infinity): Source {
  const bytes = Buffer.from(text);
  const source: Source = {
    given: 0,
    closed: 0,
    async *[Symbol.asyncIterator]() {
      try {
        for (let at = 0; at < bytes.length; at += length) {
          if (at >= failsAt) throw new Error("the line is down");
          const chunk = new Uint8Array(bytes.subarray(at, at + length));
          source.given += chunk.length;
          yield chunk;
          chunk.fill(0x58);
        }
      } finally {
        source.closed++;
      }
    },
  };
  return source;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(Buffer.from(chunk));
  return Buffer.concat(read).toString("latin1");
}

const decidedBy = async (
  domain: CompiledDomain,
  message: StagedMessage,
): Promise<[string | undefined, string]> => {
  const { decision, stage } = await route(domain, ENVELOPE, message);
  return [decision.decidedBy?.id, stage];
};

describe("asked first, then passed on", () => {
  test("at the header stage: the rest is never held", async () => {
    const text = HEAD + "body ".repeat(20_000);
    const source = sourceOf(text, 100);
    const message = stagedMessage(source, { heldBytesMax: 1 });
    expect(await decidedBy(bySubject, message)).toEqual(["s", "header"]);
    expect(source.given).toBe(100);
    expect(await textOf(message.stream())).toBe(text);
    expect(source.closed).toBe(1);
  });

  test("at the body stage: by what is held, and then whole", async () => {
    const text = `${HEAD}urgent ${"x".repeat(5_000)}`;
    const source = sourceOf(text, 64);
    const message = stagedMessage(source, { heldBytesMax: 200 });
    expect(await decidedBy(byBody, message)).toEqual(["b", "body"]);
    expect(source.given).toBe(256);
    const read = await message.upTo("body");
    expect(read).toMatchObject({ problems: [{ code: "message-too-large" }] });
    expect(read).not.toHaveProperty("size");
    expect(await textOf(message.stream())).toBe(text);
  });

  test("a rule that asks for the size has it, whatever has to be held", async () => {
    const source = sourceOf(HEAD + "x".repeat(300), 10);
    const message = stagedMessage(source, { heldBytesMax: 20 });
    expect(await decidedBy(bySize, message)).toEqual(["z", "body"]);
    expect(await message.toEnd()).toMatchObject({ size: HEAD.length + 300, problems: [] });
    expect(await textOf(message.stream())).toHaveLength(HEAD.length + 300);
  });

  test("beyond `messageBytesMax` it is routed by what was read, and passes on whole", async () => {
    const text = `${HEAD}urgent ${"x".repeat(5_000)} late`;
    const limits = { messageBytesMax: 150 };
    for (const length of [1, 7, 64, 10_000]) {
      const message = stagedMessage(sourceOf(text, length), { limits });
      expect(await decidedBy(byBody, message)).toEqual(["b", "body"]);
      expect(await message.toEnd()).toMatchObject({ size: 151 });
      await expect(message.octets()).rejects.toThrow(RangeError);
      expect(await textOf(message.stream())).toBe(text);
    }
  });

  test("after that no later stage can be asked, and the stream is given once", async () => {
    const message = stagedMessage(sourceOf(`${HEAD}body`, 5));
    await message.upTo("header");
    const stream = message.stream();
    expect(() => message.stream()).toThrow("given once");
    await expect(message.upTo("body")).rejects.toThrow("was taken");
    await expect(message.octets()).rejects.toThrow("was taken");
    expect(await message.upTo("header")).toMatchObject({ subject: "offer" });
    expect(await textOf(stream)).toBe(`${HEAD}body`);
  });

  test("the stream waits for what is being read", async () => {
    const message = stagedMessage(sourceOf(`${HEAD}urgent`, 3));
    const body = message.upTo("body");
    const text = await textOf(message.stream());
    expect(text).toBe(`${HEAD}urgent`);
    expect(await body).toMatchObject({ body: "urgent", size: text.length });
  });
});

describe("passed on while it is read", () => {
  test("stages are known when the stream has been read so far; nothing is held", async () => {
    const text = `${HEAD}urgent ${"x".repeat(1_000)}`;
    const source = sourceOf(text, 10);
    const message = stagedMessage(source, { heldBytesMax: 1 });
    const passed = textOf(message.stream());
    expect(await decidedBy(byBody, message)).toEqual(["b", "body"]);
    expect(await message.upTo("body")).toMatchObject({ size: text.length, problems: [] });
    expect(await passed).toBe(text);
  });

  test("the reader does not run ahead of a slow sink", async () => {
    const source = sourceOf(HEAD + "x".repeat(10_000), 10);
    const message = stagedMessage(source);
    const stream = message.stream();
    let isKnown = false;
    const header = message.upTo("header").then(() => {
      isKnown = true;
    });
    await stream.next();
    await new Promise((done) => setTimeout(done, 5));
    expect([source.given, isKnown]).toEqual([10, false]);
    while (!isKnown) await stream.next();
    await header;
    expect(source.given).toBeLessThan(HEAD.length + 60);
    await stream.return?.();
    expect(source.closed).toBe(1);
  });

  test("facts are those of the message, whatever it is and however it is cut", async () => {
    const cuts = fc.constantFrom(1, 3, 50, 1_000);
    await fc.assert(
      fc.asyncProperty(anyMail, cuts, async (bytes, length) => {
        const facts = messageFactsOf(bytes);
        const latin1 = Buffer.from(bytes).toString("latin1");
        const streamed = stagedMessage(sourceOf(bytes, length));
        const passed = textOf(streamed.stream());
        expect(await streamed.upTo("body")).toEqual(facts);
        expect(await passed).toBe(latin1);
        const held = stagedMessage(sourceOf(bytes, length));
        expect(await held.upTo("body")).toEqual(facts);
        expect(Buffer.from(await held.octets()).toString("latin1")).toBe(latin1);
        expect(await textOf(held.stream())).toBe(latin1);
        expect(await messageFacts(sourceOf(bytes, length))).toEqual(facts);
      }),
      { seed: 20_261_122, numRuns: 300 },
    );
  });

  test("what is held is decided alike, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(anyMail, fc.integer({ min: 1, max: 80 }), async (bytes, heldBytesMax) => {
        const read = await Promise.all(
          [1, 7, 61, 1_000].map((length) =>
            stagedMessage(sourceOf(bytes, length), { heldBytesMax }).upTo("body"),
          ),
        );
        for (const each of read) expect(each).toEqual(read[0]);
      }),
      { seed: 20_261_122, numRuns: 300 },
    );
  });
});

describe("what breaks", () => {
  const asked = [
    ["asked first", async (message: StagedMessage) => void (await message.upTo("header"))],
    ["passed on at once", async () => undefined],
  ] as const;

  test.each(asked)(
    "the source: stream and stages reject with its error (%s)",
    async (_how, ask) => {
      const message = stagedMessage(sourceOf(HEAD + "x".repeat(100), 10, 80));
      await ask(message);
      const isFirst = _how === "passed on at once";
      const stream = message.stream();
      const body = isFirst ? message.upTo("body") : Promise.reject(new Error("the line is down"));
      const settled = await Promise.allSettled([textOf(stream), body]);
      expect(settled).toMatchObject([
        { status: "rejected", reason: { message: "the line is down" } },
        { status: "rejected", reason: { message: "the line is down" } },
      ]);
    },
  );

  test("the source, while it is held: no stage, no octets, no stream", async () => {
    const message = stagedMessage(sourceOf(HEAD + "x".repeat(100), 10, 80));
    await expect(message.octets()).rejects.toThrow("the line is down");
    await expect(message.octets()).rejects.toThrow("the line is down");
    await expect(message.upTo("body")).rejects.toThrow("the line is down");
    await expect(textOf(message.stream())).rejects.toThrow("the line is down");
  });

  test.each(asked)("the sink: the source is closed, and stages say so (%s)", async (_how, ask) => {
    const source = sourceOf(HEAD + "x".repeat(100_000), 1_000);
    const message = stagedMessage(source);
    await ask(message);
    let taken = 0;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        taken += chunk.length;
        done(taken > 20_000 ? new Error("the next hop is gone") : null);
      },
    });
    const isFirst = _how === "passed on at once";
    const passed = pipeline(Readable.from(message.stream()), sink);
    const body = isFirst ? message.upTo("body") : Promise.reject(new Error("was closed"));
    const settled = await Promise.allSettled([passed, body]);
    expect(settled).toMatchObject([
      { status: "rejected", reason: { message: "the next hop is gone" } },
      { status: "rejected", reason: { message: expect.stringContaining("was closed") } },
    ]);
    expect(source.closed).toBe(1);
    expect(source.given).toBeLessThan(100_000);
  });

  test("a host that never reads the rest closes the message, and it is not read", async () => {
    const source = sourceOf(HEAD + "x".repeat(100_000), 1_000);
    const message = stagedMessage(source);
    await message.upTo("header");
    await message.close();
    expect(source).toMatchObject({ given: 1_000, closed: 1 });
    await expect(textOf(message.stream())).rejects.toThrow("was closed");
    await message.close();
  });

  test("a stream that is left before its first octet closes the source too", async () => {
    const source = sourceOf(HEAD, 5);
    const message = stagedMessage(source);
    await message.upTo("header");
    const stream = message.stream();
    await stream.return?.();
    expect(source.closed).toBe(1);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test.each([0, 1.5, Number.NaN, -1])("`heldBytesMax` of %s is none", (heldBytesMax) => {
    expect(() => stagedMessage(sourceOf("", 1), { heldBytesMax })).toThrow("`heldBytesMax` is");
    expect(() => stagedMessage(Buffer.from(""), { held: 1 } as StagedOptions)).toThrow(TypeError);
  });
});

test("bytes that are there are given whole within the bound, as those of a stream", async () => {
  const options = { limits: { messageBytesMax: 5 } };
  await expect(stagedMessage(Buffer.from("12345")).octets()).resolves.toHaveLength(5);
  await expect(stagedMessage(Buffer.from("123456"), options).octets()).rejects.toThrow(RangeError);
});

test("bytes that are there are passed on as they are", async () => {
  const message = stagedMessage(Buffer.from(`${HEAD}urgent`));
  expect(await decidedBy(byBody, message)).toEqual(["b", "body"]);
  expect(await textOf(message.stream())).toBe(`${HEAD}urgent`);
});

describe("the memory that a large message takes, in a process of its own", () => {
  const CHILD = fileURLToPath(new URL("pass-through-memory.child.ts", import.meta.url));
  const MEGABYTES_MAX = 40;

  const runInChild = (way: string, megabytes: number): Promise<Passed> =>
    new Promise((answered, failed) => {
      const child = fork(CHILD, [way, `${megabytes}`], { execArgv: ["--import", "tsx"] });
      child.once("message", (passed) => answered(passed as Passed));
      child.once("exit", (code) => failed(new Error(`the process ended with ${code}`)));
    });

  test.each([
    ["asked at the header stage", "header"],
    ["asked at the body stage", "body"],
    ["asked while it passes", "body"],
    ["routed alone", "body"],
    ["facts", "body"],
  ])("%s: 41 MB take under 40 MB, and so do 150", async (way, stage) => {
    for (const megabytes of [41, 150]) {
      const passed = await runInChild(way, megabytes);
      if (process.env.SHOW_MEMORY === "1") console.log(way, megabytes, passed.megabytes);
      expect(passed.stage).toBe(stage);
      expect(passed.megabytes).toBeLessThan(MEGABYTES_MAX);
      const isPassedOn = way.startsWith("asked");
      expect(passed.octets).toBe(isPassedOn ? megabytes * 1_000_000 : 0);
      if (isPassedOn) expect(passed.hash).toBe(passed.sourceHash);
    }
  });
});
