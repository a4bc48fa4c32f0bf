/** A dry run says what the service does and what `mailflow route` says, and changes nothing. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mailflow } from "../../cli/memory-io.ts";
import { ask, json, mail } from "../client.ts";
import { open } from "./open.ts";

interface Decided {
  readonly action: string;
  readonly destinations: readonly { readonly address?: string; readonly url?: string }[];
  readonly trace: readonly object[];
}

test("it equals `mailflow route`, and what then happens", async () => {
  const simulator = await open();
  const folder = await mkdtemp(join(tmpdir(), "mailflow-dry-run-"));
  const config = {
    domain: (await json<{ domain: object }>(simulator, "GET /v4/domains/ruled.test")).domain,
    rules: (await json<{ rules: object[] }>(simulator, "GET /v4/domains/ruled.test/rules")).rules,
  };
  await writeFile(join(folder, "domain.json"), JSON.stringify(config));
  const messages = [mail("no 42"), mail("else"), mail("else", "long ".repeat(30))];
  for (const message of messages) {
    await writeFile(join(folder, "message.eml"), message.replaceAll("\n", "\r\n"));
    const argv = ["route", "domain.json", "message.eml", "--recipient", "any@ruled.test"];
    const { stdout } = await mailflow([...argv, "--json", "--explain"], { cwd: folder });
    const { message: _name, ...routed } = JSON.parse(stdout);
    const before = await simulator.control.snapshot();
    const body = { recipient: "Any@ruled.test", message };
    const tried = await json<Decided>(simulator, "POST /_sim/dry-run", { body });
    const { problems, ...decided } = tried as Decided & { problems: unknown[] };
    expect(decided).toEqual(routed);
    expect(problems).toEqual([]);
    expect(await simulator.control.snapshot()).toEqual(before);
    const envelope = { sender: "", recipients: ["any@ruled.test"] };
    const [answer] = await simulator.receive({ envelope, message });
    expect(answer?.destinations).toEqual(tried.destinations.map(({ address }) => address));
  }
});

test("proposed aliases, rules and fields take the place of the domain's own", async () => {
  const simulator = await open();
  const rule = { type: "alias", config: { alias: "any", forward: "new@dest.test" } };
  const proposals: [object, string, string | undefined][] = [
    [{}, "forward", "rest@dest.test"],
    [{ rules: [rule] }, "forward", "new@dest.test"],
    [{ rules: [], rules_fallback_email: null }, "discard", undefined],
    [{ routing_engine: null }, "reject", undefined],
    [
      { routing_engine: "alias", aliases: [{ alias: "a*", forward: "a@dest.test" }] },
      "forward",
      "a@dest.test",
    ],
  ];
  const message = "Subject: x\n\nx\n";
  for (const [proposed, action, address] of proposals) {
    const tried = await simulator.control.dryRun({
      recipient: "any@ruled.test",
      message,
      proposed,
    });
    expect([tried.action, tried.destinations]).toEqual([
      action,
      address === undefined ? [] : [{ kind: "mailbox", address }],
    ]);
  }
});

test("the sender is the envelope's where the message has none", async () => {
  const { control } = await open();
  const rules = [
    { type: "regex", config: { regex: "^ann@", scopes: ["sender"], forward: "a@dest.test" } },
  ];
  const question = { recipient: "x@ruled.test", message: "Subject: x\n\n", proposed: { rules } };
  expect((await control.dryRun({ ...question, sender: "ann@source.test" })).reason).toBe("rule");
  expect((await control.dryRun(question)).reason).toBe("fallback");
});

test("what cannot be tried is told with its path", async () => {
  const simulator = await open();
  const message = "Subject: x\n\n";
  const recipient = "any@ruled.test";
  const bad = [{ type: "cel", config: { expression: "subject ==", forward: "x@dest.test" } }];
  const wrong: [object, number, string[]][] = [
    [
      { recipient, message, proposed: { rules: bad } },
      400,
      ["proposed.rules[0].config.expression"],
    ],
    [{ recipient, message, proposed: { rule: [] } }, 400, ["proposed.rule"]],
    [{ recipient }, 400, ["message"]],
    [{ recipient, message, messageBase64: "" }, 400, ["message"]],
    [{ recipient: "any", message: 1 }, 400, ["recipient", "message"]],
    [{ recipient: "any@absent.test", message }, 404, []],
  ];
  for (const [body, status, paths] of wrong) {
    const answer = await ask(simulator, "POST /_sim/dry-run", { body });
    const said: { message: string; errors: { path: string }[] } = JSON.parse(answer.text);
    expect([answer.status, said.errors.map(({ path }) => path)]).toEqual([status, paths]);
    expect(said.message).not.toBe("");
  }
});
