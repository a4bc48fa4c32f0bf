/** The same seed and the same calls give the same octets, whatever the calls are; also from a snapshot on. */
import fc from "fast-check";
import { createTransport } from "nodemailer";
import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator, type World } from "../../../src/simulator/index.ts";
import * as words from "../service-model/vocabulary.ts";
import { ask } from "./api.ts";

const RUNS = Number(process.env.DETERMINISM_RUNS ?? 10);
const MINUTE_MS = 60_000;

const WORLD: World = {
  domains: [
    { domain: "one.test", aliases: [{ alias: "*", forward: "ann@dest.test, bob@dest.test" }] },
    {
      domain: "two.test",
      routing_engine: "rules",
      rules_fallback_email: "rest@dest.test",
      credentials: [{ username: "info", password: "s3cret-enough" }],
      templates: [{ name: "welcome", subject: "Hello {{name}}", text_body: "Dear {{name}}" }],
    },
  ],
};

/** One thing done to a simulator; what it answers, as text. */
interface Step {
  readonly shown: string;
  readonly run: (simulator: Simulator) => Promise<string>;
}

/** The windows of the rate limits are no part of a snapshot. */
type Headers = "with rate limits" | "without";

function call(method: string, path: string, body?: unknown): Step {
  const shown = `${method} ${path} ${JSON.stringify(body)}`;
  return {
    shown,
    async run(simulator) {
      const { status, headers, text } = await ask(simulator, method, path, body);
      return `${shown}\n${status} ${JSON.stringify([...headers])}\n${text}`;
    },
  };
}

function receive(mail: words.Mail, recipients: readonly string[]): Step {
  const message = `From: ${mail.sender}\nSubject: ${mail.subject}\n\n${mail.body}\n`;
  const envelope = { sender: mail.sender, recipients };
  return {
    shown: `receive ${JSON.stringify(envelope)}`,
    run: async (simulator) => JSON.stringify(await simulator.receive({ envelope, message })),
  };
}

const version = fc.constantFrom("v3", "v4");
const post = (of: string, body: fc.Arbitrary<unknown>): fc.Arbitrary<Step> =>
  fc
    .tuple(version, words.name, body)
    .map(([v, name, given]) => call("POST", `/${v}/domains/${name}/${of}`, given));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(words.mail, words.recipients).map(([mail, to]) => receive(mail, to)),
  },
  fc
    .tuple(version, words.name, words.domainFields)
    .map(([v, name, fields]) => call("POST", `/${v}/domains`, { domain: name, ...fields })),
  words.name.map((name) => call("POST", `/v4/domains/${name}/verify`)),
  fc.tuple(version, words.name).map(([v, name]) => call("DELETE", `/${v}/domains/${name}`)),
  post("aliases", words.aliasWords),
  post("aliases/batch", fc.record({ aliases: fc.array(words.aliasWords, { maxLength: 3 }) })),
  post("rules", words.ruleWords),
  post(
    "rules",
    words.ruleWords.map(({ id: _, ...rule }) => rule),
  ),
  post("rules/batch", fc.record({ rules: fc.array(words.ruleWords, { maxLength: 3 }) })),
  words.name.map((name) =>
    call("POST", `/v4/domains/${name}/emails/outbound`, {
      from: "info",
      to: ["ann@dest.test", "450@bounce.test"],
      template: "welcome",
      variables: { name: "Ann" },
      attachments: [{ filename: "a.txt", content: "QQ==", content_type: "text/plain" }],
    }),
  ),
  fc
    .tuple(
      words.target,
      fc.constantFrom(421, 550),
      fc.constantFrom(0.5, 1),
      fc.constantFrom(0, MINUTE_MS),
    )
    .map(([match, code, probability, delayMs]) =>
      call("POST", "/_sim/faults", { match, code, probability, delayMs }),
    ),
  fc.constant(call("DELETE", "/_sim/faults")),
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(1, MINUTE_MS, 60 * MINUTE_MS)
      .map((ms) => call("POST", "/_sim/clock/advance", { ms })),
  },
);

/** All that can be looked at. */
const LOOKS: readonly Step[] = [
  ...words.NAMES.flatMap((name) =>
    ["aliases", "rules", "logs", "credentials"].flatMap((of) =>
      ["v3", "v4"].map((v) => call("GET", `/${v}/domains/${name}/${of}`)),
    ),
  ),
  ...["/v4/account", "/v3/domains", "/_sim/messages", "/_sim/faults"].map((path) =>
    call("GET", path),
  ),
  ...["/_sim/clock", "/_sim/requests", "/_sim/snapshot"].map((path) => call("GET", path)),
];

async function record(
  simulator: Simulator,
  steps: readonly Step[],
  headers: Headers = "with rate limits",
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const { run } of [...steps, ...LOOKS]) {
    const text = await run(simulator);
    said.push(headers === "without" ? text.replace(/\["x-ratelimit-[^\]]*\],?/g, "") : text);
  }
  return said;
}

async function withSimulator<Result>(
  seed: string,
  work: (simulator: Simulator) => Promise<Result>,
  world: World = WORLD,
): Promise<Result> {
  const simulator = await createSimulator({ seed, world });
  try {
    return await work(simulator);
  } finally {
    await simulator.close();
  }
}

const steps = fc.array(step, { minLength: 5, maxLength: 25 });
const PROPERTY = { seed: 20261120, numRuns: RUNS };

describe("the same calls say the same", () => {
  test("in two simulators of one seed, and not in one of another", {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const run = (seed: string): Promise<readonly string[]> =>
          withSimulator(seed, (simulator) => record(simulator, given));
        const first = await run("a");
        expect(await run("a")).toEqual(first);
        expect(await run("b")).not.toEqual(first);
      }),
      PROPERTY,
    );
  });

  test("from a snapshot on: here, restored here, and restored elsewhere", {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, after) => {
        await withSimulator("a", async (simulator) => {
          await record(simulator, before);
          const kept = JSON.stringify(await simulator.control.snapshot());
          const rest = async (at: Simulator): Promise<readonly string[]> => {
            await at.control.restore(JSON.parse(kept));
            return record(at, after);
          };
          const restored = await rest(simulator);
          expect(await rest(simulator)).toEqual(restored);
          expect(await withSimulator("a", rest, {})).toEqual(restored);
        });
        // Going on without a restore is the same too, but for what a restore forgets.
        await withSimulator("a", async (simulator) => {
          await record(simulator, before);
          await simulator.clock.advance(MINUTE_MS);
          const kept = await simulator.control.snapshot();
          const looks = record(simulator, after, "without");
          const goingOn = (await looks).filter((said) => !said.startsWith("GET /_sim/requests"));
          await simulator.control.restore(kept);
          const again = await record(simulator, after, "without");
          expect(again.filter((said) => !said.startsWith("GET /_sim/requests"))).toEqual(goingOn);
        });
      }),
      PROPERTY,
    );
  });
});

test("mail over SMTP, one message after another, leaves the same behind", async () => {
  const run = (): Promise<readonly string[]> =>
    withSimulator("a", async (simulator) => {
      const { mxPort, close } = await simulator.listen();
      const transport = createTransport({
        host: "127.0.0.1",
        port: mxPort,
        pool: true,
        maxConnections: 1,
        name: "client.test",
        tls: { rejectUnauthorized: false },
      });
      const said: string[] = [];
      for (let index = 0; index < 8; index++) {
        const { response } = await transport.sendMail({
          envelope: { from: "ann@source.test", to: ["info@one.test", "info@two.test"] },
          raw: `From: ann@source.test\r\nSubject: m${index}\r\n\r\nHello.\r\n`,
        });
        said.push(response);
        await simulator.clock.advance(index % 3 === 0 ? 1_000 : 0);
      }
      transport.close();
      await close();
      return [...said, ...(await record(simulator, []))];
    });
  expect(await run()).toEqual(await run());
});
