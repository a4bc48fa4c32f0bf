/** Faults by destination: which strikes, how often, and always alike for the same seed. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Parcel, Service } from "../../../src/simulator/model/service.ts";
import {
  addFault,
  clearFaults,
  listFaults,
  removeFault,
  takeFault,
} from "../../../src/simulator/outbound/faults.ts";
import { createOutbound } from "../../../src/simulator/outbound/route-outbound.ts";
import { problemOf } from "../model/fixture.ts";
import {
  allLogs,
  allReceived,
  mailFixture,
  messageOf,
  receiveFor,
  statusesOf,
} from "../receive/receive-fixture.ts";

const EMPTY = { domains: [] };

function parcelTo(destination: string, logId = "log", attempt = 1): Parcel {
  return {
    logId,
    domain: "example.com",
    attempt,
    kind: destination.includes("://") ? "webhook" : "mailbox",
    destination,
    envelopeSender: "author@source.example",
    originalRecipient: "one@example.com",
    message: messageOf("x"),
  };
}

async function strikes(service: Service, destination: string, logId?: string): Promise<boolean> {
  return (await takeFault(service, parcelTo(destination, logId))) !== undefined;
}

describe("which destinations match", () => {
  test.each([
    ["ann@mail.example", "Ann@Mail.example", true],
    ["*@müller.example", "ann@xn--mller-kva.example", true],
    ['"Ann"@mail.example', "ann@mail.example", true],
    ["jose\u0301@mail.example", "José@mail.example", true],
    ["ann@mail.example", "bob@mail.example", false],
    ["*@mail.example", "bob@mail.example", true],
    ["*@mail.example", "bob@mail.example.org", false],
    ["*", "anything", true],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["a*bc*c", "abc", false],
    ["**", "x", true],
    ["https://hooks.example/*", "https://hooks.example/in", true],
    ["HTTPS://HOOKS.example/*", "https://hooks.example/in", true],
  ])("%s and %s: %s", async (match, destination, expected) => {
    const { service } = await mailFixture(EMPTY);
    await addFault(service, { match, code: 450 });
    expect(await strikes(service, destination)).toBe(expected);
  });

  test("the one set first strikes, then, when it is used up, the next", async () => {
    const { service } = await mailFixture(EMPTY);
    await addFault(service, { match: "*", code: 450, times: 2 });
    await addFault(service, { match: "*", code: 550 });
    const codes: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      codes.push((await takeFault(service, parcelTo("a@b.example")))?.code);
    }
    expect(codes).toEqual([450, 450, 550, 550]);
    expect((await listFaults(service)).map(({ used }) => used)).toEqual([2, 2]);
  });
});

describe("probability", () => {
  async function pattern(seed: string): Promise<string> {
    const { service } = await mailFixture(EMPTY);
    await addFault(service, { match: "*", code: 450, probability: 0.3, seed });
    let marks = "";
    for (let at = 0; at < 300; at++)
      marks += (await strikes(service, "a@b.example", `${at}`)) ? "x" : ".";
    return marks;
  }

  test("is that of the fault, and the same for the same seed", async () => {
    const [first, again, other] = [await pattern("a"), await pattern("a"), await pattern("b")];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    const count = first.replaceAll(".", "").length;
    expect(count).toBeGreaterThan(60);
    expect(count).toBeLessThan(120);
  });

  test("0 never and 1 always", async () => {
    const { service } = await mailFixture(EMPTY);
    await addFault(service, { match: "*", code: 450, probability: 0 });
    expect(await strikes(service, "a@b.example")).toBe(false);
    await addFault(service, { match: "*", code: 451, probability: 1 });
    expect(await strikes(service, "a@b.example")).toBe(true);
  });
});

describe("what a fault is", () => {
  test.each([
    [null, "(root)"],
    [{}, "match"],
    [{ match: "" }, "match"],
    [{ match: "*", code: 99 }, "code"],
    [{ match: "*", stage: "greeting" }, "stage"],
    [{ match: "*", delayMs: -1 }, "delayMs"],
    [{ match: "*", probability: 2 }, "probability"],
    [{ match: "*", probability: Number.NaN }, "probability"],
    [{ match: "*", times: 0 }, "times"],
    [{ match: "*", stge: "rcpt" }, "stge"],
  ])("is not %o", async (input, field) => {
    const { service } = await mailFixture(EMPTY);
    const problem = await problemOf(service, () => addFault(service, input));
    expect(problem.status).toBe(400);
    expect(Object.keys(problem.errors)).toEqual([field]);
  });

  test("there is a most of them; they can be removed and cleared", async () => {
    const { service } = await mailFixture(EMPTY);
    const fault = await addFault(service, { match: "*" });
    for (let count = 1; count < LIMITS.faultsMax; count++) await addFault(service, { match: "x" });
    expect((await problemOf(service, () => addFault(service, { match: "x" }))).status).toBe(400);
    await removeFault(service, fault.id);
    expect((await problemOf(service, () => removeFault(service, fault.id))).status).toBe(404);
    expect(await clearFaults(service)).toBe(LIMITS.faultsMax - 1);
    expect(await listFaults(service)).toEqual([]);
  });
});

describe("through the way out", () => {
  test("a code is the answer, and the destination has not got it", async () => {
    const fixture = await mailFixture();
    await addFault(fixture.service, { match: "ann@*", code: 554, stage: "data" });
    await receiveFor(fixture, ["sales@example.com"]);
    await fixture.clock.advance(0);
    const [ann, bob] = await allLogs(fixture);
    expect(ann!.events[1]).toMatchObject({
      code: 554,
      status: "HARD-BOUNCE",
      message: "5.0.0 simulated fault at data",
      server: "mx.mail.example",
    });
    expect(statusesOf(bob!)).toEqual(["QUEUED", "DELIVERED"]);
    expect((await allReceived(fixture)).map(({ destination }) => destination)).toEqual([
      "bob@mail.example",
    ]);
  });

  test("a delay alone makes the answer late, on the service's clock", async () => {
    const fixture = await mailFixture();
    await addFault(fixture.service, { match: "*", delayMs: 30_000 });
    await receiveFor(fixture, ["one@example.com"]);
    await fixture.clock.advance(29_999);
    expect((await allLogs(fixture)).map(statusesOf)).toEqual([["QUEUED"]]);
    await fixture.clock.advance(1);
    expect((await allLogs(fixture)).map(statusesOf)).toEqual([["QUEUED", "DELIVERED"]]);
    expect(await allReceived(fixture)).toHaveLength(1);
  });

  test("a defect out there is a 451, to be tried again", async () => {
    const { service } = await mailFixture(EMPTY);
    const broken = { ...service, notify: () => expect.fail("out of order") };
    const answer = await createOutbound(broken).handOver(parcelTo("ann@mail.example"));
    expect(answer).toMatchObject({ code: 451, server: "mx.mail.example" });
  });
});
