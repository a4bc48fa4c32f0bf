/** The system's DNS, against a name server of our own: answers, absence, and failure. */
import { createSocket, type Socket } from "node:dgram";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dns } from "../../../src/simulator/model/service.ts";
import { createSystemDns } from "../../../src/simulator/outbound/system-dns.ts";

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

const text = (...pieces: string[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])));
const mx = (priority: number, host: string): Buffer =>
  Buffer.concat([Buffer.from([0, priority]), nameBytes(host)]);

const TYPES: Readonly<Record<number, string>> = { 5: "CNAME", 15: "MX", 16: "TXT" };
const RECORDS: Readonly<Record<string, readonly Buffer[]>> = {
  "MX own.test": [mx(20, "mx2.test"), mx(10, "mx1.test")],
  "TXT own.test": [text("v=spf1 include:", "spf.test ~all"), text("other")],
  "CNAME dkim.own.test": [nameBytes("dkim.test")],
  "MX empty.test": [],
};
const [NXDOMAIN, SERVFAIL] = [3, 2];

/** RFC 1035 §4.1: the question, and the records of its name and type. */
function answerTo(query: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += query[at]! + 1) {
    labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
  }
  const question = query.subarray(12, at + 5);
  const name = labels.join(".");
  const records = RECORDS[`${TYPES[query.readUInt16BE(at + 1)]} ${name}`];
  const failure = name === "broken.test" ? SERVFAIL : NXDOMAIN;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (records === undefined ? failure : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records?.length ?? 0, 6);
  const answers = (records ?? []).map((data) => {
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc00c, 0);
    question.copy(head, 2, question.length - 4);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, question, ...answers]);
}

let server: Socket;
let dns: Dns;
beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (query, { port }) => server.send(answerTo(query), port, "127.0.0.1"));
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  dns = createSystemDns([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => {
  server.close();
});

test("answers come in the order of preference, and in one piece", async () => {
  expect(await dns.mx("own.test")).toEqual(["mx1.test", "mx2.test"]);
  expect(await dns.txt("own.test")).toEqual(["v=spf1 include:spf.test ~all", "other"]);
  expect(await dns.cname("dkim.own.test")).toEqual(["dkim.test"]);
});

test("what is not there is an empty answer", async () => {
  expect(await dns.mx("empty.test")).toEqual([]);
  expect(await dns.txt("absent.test")).toEqual([]);
});

test("a server that fails is no answer", async () => {
  await expect(dns.mx("broken.test")).rejects.toThrow("ESERVFAIL");
});
