/** Checks the options of `mailflow serve`, and sets up its initial world. */

import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { isDomainName } from "../../engine/facts/address.ts";
import type { ListenOptions } from "../../simulator/listen.ts";
import type { JournalOptions } from "../../simulator/operations/journal.ts";
import type { SimulatorOptions } from "../../simulator/options.ts";
import { type Given, numberOf, optionOf, portOf, UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { readJson, readText } from "./files.ts";

const PORTS = {
  port: 8_025,
  "smtp-port": 2_525,
  "submission-port": 2_587,
} as const;

export interface ServePlan {
  readonly journal: JournalOptions | undefined;
  readonly simulator: SimulatorOptions;
  readonly listen: Omit<ListenOptions, "host" | "httpPort" | "mxPort" | "submissionPort"> & {
    readonly [Name in "host" | "httpPort" | "mxPort" | "submissionPort"]: NonNullable<
      ListenOptions[Name]
    >;
  };
}

function readRelay(text: string | undefined): SimulatorOptions["relay"] {
  if (text === undefined) return undefined;
  const [, host, port] = /^(\[[^\]]+\]|[^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535 || Number(port) === 0) {
    throw new UsageError(`\`--relay\` cannot be \`${text}\`: write \`host:port\``);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** In memory, unless one of the two options is given. */
function readStore(
  data: string | undefined,
  url: string | undefined,
  { cwd }: CliIo,
): SimulatorOptions["store"] {
  if (data !== undefined && url !== undefined) {
    throw new UsageError("`--data` and `--store` both say where to keep the state: give one");
  }
  if (data !== undefined) return { kind: "pglite", directory: resolve(cwd, data) };
  if (url === undefined) return undefined;
  if (/^postgres(?:ql)?:\/\/./.test(url)) return { kind: "postgres", url };
  throw new UsageError("`--store` takes `postgres://user:password@host:port/database`");
}

/** How much to keep, and the host names of the service. */
function readNamesAndBounds(given: Given): Pick<SimulatorOptions, "keep" | "hostnames"> {
  const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
  const hosts = (name: string): readonly string[] | undefined => {
    const names = given.options.get(name);
    const wrong = names?.find((each) => !isDomainName(each));
    if (wrong === undefined) return names;
    throw new UsageError(`\`--${name}\` cannot be \`${wrong}\`: write a host name`);
  };
  const bounds = (["messages", "bytes", "logs"] as const).map(
    (name) => [name, numberOf(given, `keep-${name}`, "a whole number from 1", isCount)] as const,
  );
  const keep = Object.fromEntries(bounds.filter(([, bound]) => bound !== undefined));
  const [dkim] = hosts("dkim-host") ?? [];
  const [spf] = hosts("spf-host") ?? [];
  return { keep, hostnames: { mx: hosts("mx-host"), dkim, spf } };
}

/** The options for TLS and for signing in. */
async function readTls(
  given: Given,
  io: CliIo,
): Promise<Pick<ListenOptions, "submissionsPort" | "tls" | "authWithoutTls" | "logins">> {
  const { options } = given;
  const [cert, key] = [optionOf(given, "tls-cert"), optionOf(given, "tls-key")];
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError("`--tls-cert` and `--tls-key` belong together: give both");
  }
  return {
    submissionsPort: portOf(given, "submissions-port"),
    tls: cert === undefined || key === undefined ? undefined : await readPair(cert, key, io),
    authWithoutTls: options.has("auth-without-tls") ? "allow" : "refuse",
    logins: options.has("accept-any-auth") ? "any" : "credentials",
  };
}

/** Reads two PEM files that belong together. */
async function readPair(
  certFile: string,
  keyFile: string,
  { cwd }: CliIo,
): Promise<NonNullable<ListenOptions["tls"]>> {
  const cert = await readText(certFile, cwd, "a PEM file");
  const key = await readText(keyFile, cwd, "a PEM file");
  // Node.js takes an empty text for an option that is not given.
  for (const [file, text] of [
    [certFile, cert],
    [keyFile, key],
  ]) {
    if (text === "") throw new UsageError(`\`${file}\` is empty: name a PEM file`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const said = (error as Error).message;
    throw new UsageError(
      `\`${certFile}\` is not a PEM certificate for the key in \`${keyFile}\`: ${said}`,
    );
  }
  return { cert, key };
}

async function worldAt(path: string, cwd: string): Promise<SimulatorOptions["world"]> {
  const world = await readJson(path, cwd, "a world");
  if (typeof world === "object" && world !== null && !Array.isArray(world)) return world;
  throw new UsageError(`\`${path}\` is not a world: write an object, \`{ "domains": […] }\``);
}

export async function readPlan(given: Given, io: CliIo): Promise<ServePlan> {
  const { options } = given;
  const option = (name: string): string | undefined => optionOf(given, name);
  const seed = option("seed");
  const apiKey = option("api-key");
  if (apiKey !== undefined && !/^[!-~]{1,256}$/.test(apiKey)) {
    throw new UsageError("`--api-key` takes 1 to 256 printable ASCII characters, no blanks");
  }
  const level = option("log") as JournalOptions["level"] | undefined;
  return {
    journal: level === undefined ? undefined : { level, content: options.has("log-content") },
    simulator: {
      world: seed === undefined ? undefined : await worldAt(seed, io.cwd),
      // Secrets are derived from it, so nobody may be able to guess it.
      seed: randomUUID(),
      clock: "running",
      apiKey,
      relay: readRelay(option("relay")),
      dns: option("dns") === "system" ? "system" : "zone",
      webhooks: options.has("allow-private-webhooks") ? "any" : "public",
      unknownFields: options.has("strict") ? "refused" : "ignored",
      store: readStore(option("data"), option("store"), io),
      ...readNamesAndBounds(given),
    },
    listen: {
      host: option("host") ?? "127.0.0.1",
      httpPort: portOf(given, "port") ?? PORTS.port,
      mxPort: portOf(given, "smtp-port") ?? PORTS["smtp-port"],
      submissionPort: portOf(given, "submission-port") ?? PORTS["submission-port"],
      pop3Port: portOf(given, "pop3-port"),
      ...(await readTls(given, io)),
    },
  };
}

/** Why a port could not be opened, in terms of the options; throws other errors again. */
export function listenFailure(error: unknown, { listen }: ServePlan): UsageError {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  const options = {
    port: listen.httpPort,
    "smtp-port": listen.mxPort,
    "submission-port": listen.submissionPort,
    "submissions-port": listen.submissionsPort ?? 0,
    "pop3-port": listen.pop3Port ?? 0,
  };
  const option = Object.entries(options).find(([, value]) => value === port)?.[0] ?? "port";
  switch (code) {
    case "EADDRINUSE":
      return new UsageError(`port ${port} is in use: choose another with \`--${option}\``);
    case "EACCES":
      return new UsageError(`port ${port} needs more rights: choose another with \`--${option}\``);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(
        `\`--host\` cannot be \`${listen.host}\`: write a name or address of this machine`,
      );
    default:
      throw error;
  }
}
