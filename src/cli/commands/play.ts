/** `mailflow play`: opens the page with a domain file and messages, in a browser on this machine. */
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { count } from "../../rehearse/words/count.ts";
import { styled } from "../../rehearse/words/line.ts";
import { type Command, type Given, portOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import type { Played } from "../play/play-app.ts";
import { messagesAt, octetsOf } from "../read/find-messages.ts";
import { usableDomain } from "../read/read-domain.ts";
import type { Reports } from "../report.ts";
import { untilSignal } from "../signals.ts";

/** Most messages to pass to the page, and most octets of them. */
const MESSAGES_MAX = 5_000;
const MAIL_BYTES_MAX = 64 * 1024 * 1024;
const PORT = 8030;

async function pageFolder(): Promise<string> {
  const { findPage } = await import("../../simulator/control/page-files.ts");
  const found = findPage();
  if (found === null) throw new UsageError("the page is not built: run `npm run build`");
  return found;
}

async function readMail(paths: readonly string[], io: CliIo): Promise<Played["mail"]> {
  const mail: { name: string; base64: string }[] = [];
  let bytes = 0;
  for (const path of paths) {
    for await (const each of await messagesAt(path, io)) {
      if (!("open" in each)) throw new UsageError(each.failure);
      const octets = await octetsOf(each);
      bytes += octets.length;
      if (mail.length >= MESSAGES_MAX || bytes > MAIL_BYTES_MAX) return mail;
      mail.push({ name: each.name, base64: octets.toString("base64") });
    }
  }
  return mail;
}

async function readPlayed(given: Given, io: CliIo): Promise<Played> {
  const page = await pageFolder();
  const [file, ...mailPaths] = given.arguments;
  if (file === undefined) return { page, file: null, domain: null, mail: [] };
  const domain = await usableDomain(file, given, io, "fixed");
  const mail = await readMail(mailPaths, io);
  return { page, file: resolve(io.cwd, file), domain: domain.config, mail };
}

async function* play(given: Given, io: CliIo): Reports {
  const played = await readPlayed(given, io);
  const port = portOf(given, "port") ?? PORT;
  const { serve } = await import("@hono/node-server");
  const { createPlayApp } = await import("../play/play-app.ts");
  const { fetch } = createPlayApp(played);
  const server = serve({ fetch, hostname: "127.0.0.1", port });
  await new Promise<void>((listening, failed) => {
    server.once("listening", listening);
    server.once("error", (error: Error) => failed(new UsageError(error.message)));
  });
  const { port: taken } = server.address() as AddressInfo;
  const on = played.file === null ? "the example" : given.arguments[0]!;
  yield {
    text: () => [
      ["page  ", styled("bold", `http://127.0.0.1:${taken}/`)],
      [`open it in a browser: ${on}, ${count(played.mail.length, "message")}`],
      ["Ctrl-C ends it. Save an edit to write it back to the file."],
    ],
  };
  await untilSignal(io).ended;
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  return EXIT.ok;
}

export const playCommand: Command = {
  name: "play",
  summary: "opens rules and messages in a web page that shows what each edit changes",
  arguments: [
    { name: "domain.json and messages", count: "any", description: "default: the example" },
  ],
  options: [{ name: "port", value: "number", description: `port on this machine (${PORT})` }],
  notes: [],
  examples: ["mailflow play", "mailflow play domain.json mail/"],
  run: play,
};
