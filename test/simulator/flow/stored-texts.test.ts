/** Texts that a store changes: NUL goes, half a surrogate pair becomes U+FFFD. What is checked and shown is what is stored. */
import { afterEach, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/simulator/index.ts";
import { ask, json } from "../client.ts";

const RULE = { type: "regex", config: { regex: "a", scopes: ["subject"], forward: "b@dest.test" } };
const opened: Simulator[] = [];
afterEach(async () => {
  for (const simulator of opened.splice(0)) await simulator.close();
});

async function open(): Promise<Simulator> {
  const simulator = await createSimulator({
    world: { domains: [{ domain: "own.test", routing_engine: "rules", rules: [RULE] }] },
  });
  opened.push(simulator);
  return simulator;
}

const withRegex = (regex: string): object => ({ ...RULE, config: { ...RULE.config, regex } });

test.each([
  ["\0", "`regex` is empty: fill it in"],
  ["[\0]", "`[` is never closed"],
  ["[\ud900-\ufffc]", "\ufffd-\ufffc"],
])("a pattern %j that would be stored as another is checked as that one", async (regex, said) => {
  const simulator = await open();
  const rules = "/v4/domains/own.test/rules";
  const listed = await json<{ rules: { id: string }[] }>(simulator, `GET ${rules}`);
  const { id } = listed.rules[0]!;
  const change = { config: { regex } };
  const asked: readonly [what: string, body: object][] = [
    [`POST ${rules}`, withRegex(regex)],
    [`PUT ${rules}/${id}`, change],
    ["POST /v3/domains/own.test/rules", withRegex(regex)],
  ];
  for (const [what, body] of asked) {
    const refused = await json(simulator, what, { body, status: 400 });
    expect(refused).toMatchObject({ errors: { "config.regex": [expect.stringContaining(said)] } });
  }
  const batch = await json(simulator, `PUT ${rules}/batch`, {
    body: { rules: [{ id, ...change }] },
    status: 207,
  });
  expect(batch).toMatchObject({ failed: [{ message: expect.stringContaining(said) }] });
  const world = { domains: [{ domain: "own.test", rules: [withRegex(regex)] }] };
  await expect(createSimulator({ world })).rejects.toThrow(said);
  expect(await json(simulator, `GET ${rules}`)).toEqual(listed);
});

test("an answer shows what is stored", async () => {
  const simulator = await open();
  const aliases = "/v4/domains/own.test/aliases";
  const body = { alias: "a\ud800", forward: "https://dest.test/\0x" };
  const added = await json<{ alias: { id: string } }>(simulator, `POST ${aliases}`, { body });
  expect(added).toMatchObject({ alias: { alias: "a\ufffd", forward: "https://dest.test/x" } });
  expect(await json(simulator, `GET ${aliases}/${added.alias.id}`)).toEqual(added);
  const form = await simulator.fetch(
    new Request("http://localhost/v3/domains/own.test/aliases", {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`api:${simulator.apiKey}`)}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "alias=b&forward=c%00@dest.test",
    }),
  );
  expect(await form.json()).toMatchObject({ alias: { forward: "c@dest.test" } });
});

test("a template is checked as it is stored", async () => {
  const simulator = await open();
  const body = { name: "t", subject: "s", text_body: "{\0{x" };
  const { status } = await ask(simulator, "POST /v4/domains/own.test/templates", { body });
  expect(status).toBe(400);
});
