/** Decides one large message and passes it on; answers its parent with the memory that it took and a hash of what passed. */
import { createHash } from "node:crypto";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { messageFacts, route, stagedMessage } from "../../src/message/index.ts";

export interface Passed {
  readonly decidedBy: string | null;
  readonly stage: string;
  /** Octets that were passed on. */
  readonly octets: number;
  readonly hash: string;
  readonly sourceHash: string;
  /** Megabytes of memory that the process had at most beyond what it had before. */
  readonly megabytes: number;
}

const CHUNK_BYTES = 65_536;
const LINE = `${"QUJD".repeat(19)}\r\n`;
const HEAD = [
  "From: ann@mail.test",
  "Subject: offer",
  'Content-Type: multipart/mixed; boundary="b"',
  "",
  "--b",
  "Content-Type: text/plain",
  "",
  "urgent",
  "--b",
  "Content-Type: application/zip; name=a.zip",
  "Content-Transfer-Encoding: base64",
  "",
  "",
].join("\r\n");

/** The chunks of a message of so many megabytes, each made as it is asked for. */
async function* message(megabytes: number, seen: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  const end = megabytes * 1_000_000;
  for (let at = 0; at < end; at += CHUNK_BYTES) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end - at), LINE);
    if (at === 0) chunk.write(HEAD);
    // As a socket would: others have a turn.
    await new Promise(setImmediate);
    seen(chunk);
    yield chunk;
  }
}

function domainOf(scope: "subject" | "body") {
  const config = { regex: scope === "subject" ? "offer" : "urgent", scopes: [scope] };
  const compiled = compileDomain({
    domain: "own.test",
    routing_engine: "rules",
    rules: [{ id: scope, type: "regex", config: { ...config, forward: "x@else.test" } }],
  });
  if (!compiled.ok) throw new Error("the domain does not compile");
  return compiled.domain;
}

const envelope = { recipient: "any@own.test" };
type Taken = (chunk: Uint8Array) => void;
type Way = (source: AsyncIterable<Uint8Array>, taken: Taken) => Promise<[string | null, string]>;

async function pass(chunks: AsyncIterable<Uint8Array>, taken: Taken): Promise<void> {
  for await (const chunk of chunks) taken(chunk);
}

function asked(scope: "subject" | "body"): Way {
  return async (source, taken) => {
    const staged = stagedMessage(source);
    const { decision, stage } = await route(domainOf(scope), envelope, staged);
    await pass(staged.stream(), taken);
    return [decision.decidedBy?.id ?? null, stage];
  };
}

const WAYS: Readonly<Record<string, Way>> = {
  "asked at the header stage": asked("subject"),
  "asked at the body stage": asked("body"),
  "asked while it passes": async (source, taken) => {
    const staged = stagedMessage(source);
    const passed = pass(staged.stream(), taken);
    const { decision, stage } = await route(domainOf("body"), envelope, staged);
    await passed;
    return [decision.decidedBy?.id ?? null, stage];
  },
  "routed alone": async (source) => {
    const { decision, stage } = await route(domainOf("body"), envelope, source);
    return [decision.decidedBy?.id ?? null, stage];
  },
  facts: async (source) => {
    const { attachments } = await messageFacts(source);
    return [attachments[0]?.filename ?? null, "body"];
  },
};

async function run(way: Way, megabytes: number): Promise<Passed> {
  const [hash, sourceHash] = [createHash("sha256"), createHash("sha256")];
  const before = process.memoryUsage.rss();
  let [octets, most] = [0, before];
  const measure = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const given = (chunk: Buffer): void => {
    sourceHash.update(chunk);
    measure();
  };
  const [decidedBy, stage] = await way(message(megabytes, given), (chunk) => {
    octets += chunk.length;
    hash.update(chunk);
    measure();
  });
  return {
    decidedBy,
    stage,
    octets,
    hash: hash.digest("hex"),
    sourceHash: sourceHash.digest("hex"),
    megabytes: (most - before) / 1_000_000,
  };
}

const [, , name = "", megabytes = ""] = process.argv;
const way = WAYS[name];
if (way === undefined) throw new Error(`no way ${name}`);
// What is compiled and allocated once is no part of a message.
await run(way, 2);
const passed = await run(way, Number(megabytes));
process.send?.(passed);
