/** The same world and the same calls give the same octets, headers included. */
import { expect, test } from "vitest";
import { openSite } from "./fixture.ts";

async function record(): Promise<string[]> {
  const site = await openSite();
  const lines: string[] = [];
  const ask = async (method: string, path: string, json?: unknown): Promise<void> => {
    const { status, headers, text } = await site.send(
      method,
      path,
      json === undefined ? {} : { json },
    );
    lines.push(`${method} ${path} ${status} ${JSON.stringify([...headers])} ${text}`);
  };
  await ask("POST", "/v4/domains", { domain: "new.test" });
  await ask("POST", "/v4/domains/new.test/verify");
  await ask("POST", "/v4/domains/new.test/rules", {
    type: "alias",
    config: { alias: "a", forward: "a@dest.test" },
  });
  await ask("POST", "/v4/domains/new.test/credentials", { username: "a", password: "p4ssw0rd!" });
  await site.receive("info@own.test", "One");
  await site.receive("sales@own.test", "Two");
  await ask("POST", "/v4/domains/own.test/emails/outbound", {
    from: "info",
    to: ["a@dest.test", "b@dest.test"],
    template: "welcome",
    variables: { name: "Ann" },
  });
  await site.clock.advance(5_000);
  for (const path of ["", "/aliases", "/rules", "/logs", "/credentials"]) {
    await ask("GET", `/v4/domains/own.test${path}`);
    await ask("GET", `/v3/domains/own.test${path}`);
  }
  await ask("GET", "/v4/domains/own.test/logs/search?query=welcom");
  await ask("GET", "/v4/domains/none.test");
  return lines;
}

test("two runs are one", async () => {
  const [first, second] = [await record(), await record()];
  expect(first).toEqual(second);
  expect(first.length).toBe(17);
});
