/** The demo's domain in a simulator with its page: what the browser tests of a service start from. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterEach } from "vitest";
import {
  createSimulator,
  type Listening,
  type Simulator,
  type World,
} from "../../../src/simulator/index.ts";
import { onPage, type Site } from "./open.ts";

const DEMO = fileURLToPath(new URL("../../../corpus/demo", import.meta.url));

interface DemoDomain {
  readonly domain: string;
  readonly rules_fallback_email: string;
  readonly aliases: readonly { readonly alias: string; readonly forward: string }[];
  readonly rules: readonly Readonly<Record<string, unknown>>[];
}

function demoWorld(): World {
  const text = readFileSync(join(DEMO, "domain.json"), "utf8");
  const { domain, rules_fallback_email, aliases, rules } = JSON.parse(text) as DemoDomain;
  return {
    domains: [
      {
        domain,
        routing_engine: "rules",
        rules_fallback_email,
        aliases: aliases.map(({ alias, forward }) => ({ alias, forward })),
        rules: rules.map(({ type, rank, active, config }) => ({ type, rank, active, config })),
      },
    ],
  } as World;
}

export interface Opened {
  readonly simulator: Simulator;
  readonly server: Listening;
}

/** `folder`: the built page. The clock stands. */
export async function openService(folder: string): Promise<Opened> {
  const simulator = await createSimulator({ world: demoWorld() });
  return { simulator, server: await simulator.listen({ page: folder }) };
}

/** Services of a test, which are closed after it. */
export interface Services {
  start(): Promise<Opened>;
  /** Closes it with the others. */
  keep(service: Pick<Opened, "simulator">): void;
}

export function servicesForTests(site: Site): Services {
  const started: Pick<Opened, "simulator">[] = [];
  afterEach(async () => {
    for (const { simulator } of started.splice(0)) await simulator.close();
  });
  return {
    async start() {
      const service = await openService(site.folder);
      started.push(service);
      return service;
    },
    keep: (service) => void started.push(service),
  };
}

/** Opens a view of a service, signed in, and acts on it. */
export function onView(
  { browser }: Site,
  { server }: Opened,
  view: string,
  act: (page: Page) => Promise<void>,
  options: Parameters<Browser["newPage"]>[0] = {},
): Promise<void> {
  const actThere = async (page: Page): Promise<void> => {
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    await page.goto(`${server.url}/#${view}`);
    await act(page);
  };
  return onPage(browser, server.pageUrl!, actThere, options);
}

/** The nine messages of the demo, each for whom it names at the domain. */
export async function receiveDemo({ simulator }: Opened): Promise<void> {
  const folder = join(DEMO, "messages");
  for (const name of readdirSync(folder).sort()) {
    const message = readFileSync(join(folder, name));
    const named = /^To:.*?([\w.+-]+@paperlane\.example)/im.exec(message.toString("latin1"))?.[1];
    const recipients = [named ?? "shop@paperlane.example"];
    await simulator.receive({ envelope: { sender: "ann@mail.example", recipients }, message });
  }
}

export async function receiveText(
  { simulator }: Opened,
  text: string,
  recipient: string = "accounts@paperlane.example",
): Promise<void> {
  const envelope = { sender: "ann@mail.example", recipients: [recipient] };
  await simulator.receive({ envelope, message: text });
}
