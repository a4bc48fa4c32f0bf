import { expect, test } from "vitest";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import { createSimulator } from "../../../src/simulator/create-simulator.ts";

test("rules that were accepted one by one route together, whatever they cost (domain-cost)", async () => {
  const rules = Array.from({ length: 760 }, (_, nth) => ({
    id: `${String(nth).padStart(8, "0")}-0000-4000-8000-000000000000`,
    type: "regex",
    rank: nth,
    config: {
      regex: `${"x".repeat(1_000)} ${nth}|^last$`,
      scopes: ["subject"],
      forward: `r${nth}@else.test`,
    },
  }));
  const domain = { domain: "own.test", routing_engine: "rules", rules };
  const alone = compileDomain(domain);
  expect(alone.ok || alone.diagnostics.map(({ code }) => code)).toEqual(["domain/too-costly"]);
  const simulator = await createSimulator({ world: { domains: [domain] } });
  try {
    await simulator.receive({
      envelope: { sender: "a@b.test", recipients: ["c@own.test"] },
      message: "Subject: last\n\nx\n",
    });
    const mail = await simulator.control.waitForMessage({ destination: "r0@else.test" });
    expect(mail.subject).toBe("last");
  } finally {
    await simulator.close();
  }
});
