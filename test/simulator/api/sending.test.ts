/** Sending over HTTP and its templates: effects, and the errors that need a state of their own (API v4 §4, §7). */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LETTER, TEMPLATE } from "./contract-v4-send.ts";
import {
  type Answer,
  client,
  type Fields,
  openWorld,
  succeeded,
  WINDOW_MS,
  type World,
} from "./fixtures.ts";
import { expectProblem } from "./problem.ts";
import { absence } from "./simulator-port.ts";

const WHY = absence === null ? "" : ` (skipped: ${absence})`;
const DOMAIN = "/domains/own.test";
const OUTBOUND = `${DOMAIN}/emails/outbound`;
const TEMPLATES = `${DOMAIN}/templates`;

interface Sent {
  readonly id: string;
  readonly message_id: string;
}

let world: World;
beforeEach(async () => {
  if (absence === null) world = await openWorld("v4");
});
afterEach(() => world?.simulator.close());

/** Sends in a window of its own. */
async function send(body: Fields): Promise<Answer<Sent>> {
  await world.simulator.clock.advance(WINDOW_MS);
  return world.v4.post<Sent>(OUTBOUND, body);
}

async function logOf(sent: Sent): Promise<Fields> {
  return succeeded(await world.v4.get(`${DOMAIN}/logs/${sent.id}`));
}

describe.skipIf(absence !== null)(`sending${WHY}`, () => {
  test("is told by the log entry that it answers with", async () => {
    const sent = succeeded(await send(LETTER));
    expect(await logOf(sent)).toMatchObject({
      id: sent.id,
      message_id: sent.message_id,
      transport: "api",
      subject: "A letter",
      sender: { email: "info@own.test" },
      recipient: { email: "reader@dest.test" },
    });
  });

  test("writes one entry for each recipient", async () => {
    const to = ["one@dest.test", "two@dest.test"];
    const sent = succeeded(
      await send({ ...LETTER, to, cc: "three@dest.test", bcc: ["four@dest.test"] }),
    );
    await world.simulator.clock.advance(1_000);
    const { body } = await world.v4.get<{
      logs: { message_id: string; recipient: { email: string } }[];
    }>(`${DOMAIN}/logs?transport=api`);
    const same = body.logs.filter(({ message_id }) => message_id === sent.message_id);
    expect(same.map(({ recipient }) => recipient.email).sort()).toEqual([
      "four@dest.test",
      "one@dest.test",
      "three@dest.test",
      "two@dest.test",
    ]);
  });

  test("takes 25 attachments, and ten megabytes", async () => {
    const attachments = Array.from({ length: 25 }, (_, index) => ({
      filename: `${index}.txt`,
      content: "bm90ZQ==",
    }));
    succeeded(await send({ ...LETTER, attachments }));
    const large = { filename: "large.bin", content: "A".repeat(13_300_000) };
    succeeded(await send({ ...LETTER, attachments: [large] }));
  });

  test("renders a template; a subject in the request goes first, its text and html are ignored", async () => {
    const base = {
      from: "info",
      to: "reader@dest.test",
      template: "welcome",
      variables: { name: "Ada" },
    };
    expect(await logOf(succeeded(await send(base)))).toMatchObject({ subject: "Hello Ada" });
    const own = succeeded(await send({ ...base, subject: "For {{name}}", text: "{{", html: "{{" }));
    expect(await logOf(own)).toMatchObject({ subject: "For Ada" });
  });

  test("needs a subject where the template has none", async () => {
    await world.v4.post(TEMPLATES, { name: "bare", text_body: "Dear reader" });
    const base = { from: "info", to: "reader@dest.test", template: "bare" };
    expectProblem("v4", await send(base), 400);
    succeeded(await send({ ...base, subject: "A subject" }));
  });

  test("is refused while the domain is not ready to send", async (context) => {
    const domain = "fresh.test";
    const v4 = client(world.simulator, "v4");
    const made = succeeded(
      await v4.post<{ domain: { send_ready: boolean } }>("/domains", { domain }),
    );
    if (made.domain.send_ready) context.skip("a new domain is ready to send at once");
    expectProblem("v4", await v4.post(`/domains/${domain}/emails/outbound`, LETTER), 403);
  });

  test("is refused on the free plan", async () => {
    const free = await openWorld("v4", "free");
    expectProblem("v4", await free.v4.post(OUTBOUND, LETTER), 403);
    expectProblem("v4", await free.v4.post(TEMPLATES, TEMPLATE), 403);
    await free.simulator.close();
  });

  test("is limited to 10 requests in a minute", async () => {
    await world.simulator.clock.advance(WINDOW_MS);
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await world.v4.post(OUTBOUND, LETTER);
      expect(status).toBe(200);
      expect(headers.get("x-ratelimit-limit")).toBe("10");
      expect(headers.get("x-ratelimit-remaining")).toBe(String(left));
    }
    expectProblem("v4", await world.v4.post(OUTBOUND, LETTER), 429);
    expect((await send(LETTER)).status).toBe(200);
  });
});

describe.skipIf(absence !== null)(`templates${WHY}`, () => {
  const get = (name: string): Promise<Answer<Fields>> => world.v4.get(`${TEMPLATES}/${name}`);

  test("keep what they were given, and change only what is sent", async () => {
    const made = succeeded(await world.v4.post<{ template: Fields }>(TEMPLATES, TEMPLATE));
    expect(made.template).toMatchObject(TEMPLATE);
    await world.simulator.clock.advance(2_000);
    const path = `${TEMPLATES}/${TEMPLATE.name}`;
    const { body } = await world.v4.put<{ template: Fields }>(path, { subject: "Other" });
    expect(body.template).toMatchObject({ ...TEMPLATE, subject: "Other" });
    expect(body.template.created_at).toBe(made.template.created_at);
    expect(body.template.updated_at).not.toBe(made.template.updated_at);
    expect((await get(String(TEMPLATE.name))).body).toEqual(body);
  });

  test("are renamed by a new name; a name that is taken is refused", async () => {
    await world.v4.post(TEMPLATES, TEMPLATE);
    const path = `${TEMPLATES}/welcome`;
    expectProblem("v4", await world.v4.put(path, { name: TEMPLATE.name }), 400, "name");
    succeeded(await world.v4.put(path, { name: "welcome" }));
    succeeded(await world.v4.put(path, { name: "renamed" }));
    expectProblem("v4", await get("welcome"), 404);
    expect((await get("renamed")).status).toBe(200);
  });

  test("take texts of the greatest length", async () => {
    const longest = {
      name: "a".repeat(250),
      description: "x".repeat(500),
      subject: "x".repeat(250),
      html_body: "x".repeat(100_000),
      text_body: "x".repeat(100_000),
    };
    expect(
      (await world.v4.post<{ template: Fields }>(TEMPLATES, longest)).body.template,
    ).toMatchObject(longest);
    for (const name of ["1", "7-up_b"]) succeeded(await world.v4.post(TEMPLATES, { name }));
  });

  test("are 200 to a domain, in one list that shows no bodies", async () => {
    for (let index = 1; index < 200; index++) {
      if (index % 100 === 0) await world.simulator.clock.advance(WINDOW_MS);
      succeeded(await world.v4.post(TEMPLATES, { name: `t${index}` }));
    }
    await world.simulator.clock.advance(WINDOW_MS);
    expectProblem("v4", await world.v4.post(TEMPLATES, { name: "one-more" }), 400);
    const listed = await world.v4.get<{ templates: Fields[] }>(TEMPLATES);
    expect(listed.body.templates).toHaveLength(200);
    succeeded(await world.v4.delete(`${TEMPLATES}/t1`));
    succeeded(await world.v4.post(TEMPLATES, { name: "one-more" }));
  });

  test("are known within their domain only", async () => {
    const other = { domain: "other.test" };
    succeeded(await world.v4.post("/domains", other));
    succeeded(await world.v4.post("/domains/other.test/templates", { name: "welcome" }));
    succeeded(await world.v4.delete("/domains/other.test/templates/welcome"));
    expect((await get("welcome")).status).toBe(200);
    for (const path of [
      "/domains/absent.test/templates",
      "/domains/absent.test/templates/welcome",
    ]) {
      const method = path.endsWith("welcome") ? "put" : "post";
      expectProblem("v4", await world.v4[method](path, { name: "x" }), 404);
    }
  });
});
