/** Checks the options of `mailflow serve`, and sets up its initial world. */

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { findJsonMistake } from "../../base/json-text.ts";
import { lineColumnAt } from "../../base/render-diagnostic.ts";
import { isDomainName } from "../../engine/facts/address.ts";
import type { ListenOptions } from "../../simulator/listen.ts";
import type { JournalOptions } from "../../simulator/operations/journal.ts";
import type { SimulatorOptions } from "../../simulator/options.ts";
import { type Given, UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { fileFailure } from "../read/file-failure.ts";

const PORTS = {
  port: 8_025,
  "smtp-port": 2_525,
  "submission-port": 2_587,
  "submissions-port": 2_465,
  "pop3-port": 2_110,
} as const;
export type PortOption = keyof typeof PORTS;

export interface ServePlan {
  readonly journal: JournalOptions | undefined;
  readonly simulator: SimulatorOptions;
  readonly listen: Omit<ListenOptions, "host" | "httpPort" | "mxPort" | "submissionPort"> & {
    readonly [Name in "host" | "httpPort" | "mxPort" | "submissionPort"]: NonNullable<
      ListenOptions[Name]
    >;
  };
}

function readPort(option: PortOption, text: string | undefined): number {
  if (text === undefined) return PORTS[option];
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  const message = `\`--${option}\` is \`${text}\`: give a port, or 0 for any that is free`;
  throw new UsageError(message);
}

function readRelay(text: string | undefined): SimulatorOptions["relay"] {
  if (text === undefined) return undefined;
  const [, host, port] = /^(\[[^\]]+\]|[^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535 || Number(port) === 0) {
    throw new UsageError(`\`--relay\` is \`${text}\`: write it as \`host:port\``);
  }
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

async function readWorld(path: string, { cwd }: CliIo): Promise<SimulatorOptions["world"]> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, path), "utf8");
  } catch (error) {
    throw new UsageError(fileFailure(error, path, "a world"));
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const mistake = findJsonMistake(text);
    if (mistake === null) throw new UsageError(`${path}: ${(error as Error).message}`);
    const { line, column } = lineColumnAt(text, mistake.span.start);
    throw new UsageError(`${path}:${line}:${column}: ${mistake.message}`);
  }
}

/** In memory, unless one of the two options is given. */
function readStore(
  data: string | undefined,
  url: string | undefined,
  { cwd }: CliIo,
): SimulatorOptions["store"] {
  if (data !== undefined && url !== undefined) {
    throw new UsageError("`--data` and `--store` both say where the state is kept: give one");
  }
  if (data !== undefined) return { kind: "pglite", directory: resolve(cwd, data) };
  if (url === undefined) return undefined;
  if (/^postgres(?:ql)?:\/\/./.test(url)) return { kind: "postgres", url };
  throw new UsageError("`--store` takes `postgres://user:password@host:port/database`");
}

async function readPem(path: string, { cwd }: CliIo): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), "utf8");
  } catch (error) {
    throw new UsageError(fileFailure(error, path, "a PEM file"));
  }
}

/** How much to keep, and the host names of the service. */
function readNamesAndBounds(
  options: Given["options"],
): Pick<SimulatorOptions, "keep" | "hostnames"> {
  const count = (name: string): number | undefined => {
    const text = options.get(name)?.[0];
    if (text === undefined) return undefined;
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    throw new UsageError(`\`--${name}\` is \`${text}\`: give a whole number from 1`);
  };
  const hosts = (name: string): readonly string[] | undefined => {
    const given = options.get(name);
    const wrong = given?.find((each) => !isDomainName(each));
    if (wrong === undefined) return given;
    throw new UsageError(`\`--${name}\` is \`${wrong}\`: give a host name`);
  };
  const bounds = (["messages", "bytes", "logs"] as const).map(
    (name) => [name, count(`keep-${name}`)] as const,
  );
  const keep = Object.fromEntries(bounds.filter(([, bound]) => bound !== undefined));
  const [dkim] = hosts("dkim-host") ?? [];
  const [spf] = hosts("spf-host") ?? [];
  return { keep, hostnames: { mx: hosts("mx-host"), dkim, spf } };
}

/** The options for TLS and for signing in. */
async function readTls(
  options: Given["options"],
  io: CliIo,
): Promise<Pick<ListenOptions, "submissionsPort" | "tls" | "authWithoutTls" | "logins">> {
  const option = (name: string): string | undefined => options.get(name)?.[0];
  const [cert, key, port] = [option("tls-cert"), option("tls-key"), option("submissions-port")];
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError("`--tls-cert` and `--tls-key` belong together: give both");
  }
  return {
    ...(port === undefined ? {} : { submissionsPort: readPort("submissions-port", port) }),
    ...(cert === undefined || key === undefined ? {} : { tls: await readPair(cert, key, io) }),
    ...(options.has("auth-without-tls") ? { authWithoutTls: "allow" } : {}),
    ...(options.has("accept-any-auth") ? { logins: "any" } : {}),
  };
}

/** Reads two PEM files that belong together. */
async function readPair(
  certFile: string,
  keyFile: string,
  io: CliIo,
): Promise<NonNullable<ListenOptions["tls"]>> {
  const [cert, key] = [await readPem(certFile, io), await readPem(keyFile, io)];
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const said = (error as Error).message;
    throw new UsageError(
      `\`${certFile}\` is not a certificate in PEM of the key in \`${keyFile}\`: ${said}`,
    );
  }
  return { cert, key };
}

export async function readPlan({ options }: Given, io: CliIo): Promise<ServePlan> {
  const option = (name: string): string | undefined => options.get(name)?.[0];
  const seed = option("seed");
  const apiKey = option("api-key");
  if (apiKey !== undefined && !/^[!-~]{1,256}$/.test(apiKey)) {
    throw new UsageError("`--api-key` takes 1 to 256 printable ASCII characters, no blanks");
  }
  const level = option("log") as JournalOptions["level"] | undefined;
  return {
    journal: level === undefined ? undefined : { level, content: options.has("log-content") },
    simulator: {
      world: seed === undefined ? undefined : await readWorld(seed, io),
      // Secrets are made from it, so nobody outside may be able to guess it.
      seed: randomUUID(),
      clock: "running",
      apiKey,
      relay: readRelay(option("relay")),
      dns: option("dns") === "system" ? "system" : "zone",
      webhooks: options.has("allow-private-webhooks") ? "any" : "public",
      unknownFields: options.has("strict") ? "refused" : "ignored",
      store: readStore(option("data"), option("store"), io),
      ...readNamesAndBounds(options),
    },
    listen: {
      host: option("host") ?? "127.0.0.1",
      httpPort: readPort("port", option("port")),
      mxPort: readPort("smtp-port", option("smtp-port")),
      submissionPort: readPort("submission-port", option("submission-port")),
      ...(option("pop3-port") === undefined
        ? {}
        : { pop3Port: readPort("pop3-port", option("pop3-port")) }),
      ...(await readTls(options, io)),
    },
  };
}

/** Why a port could not be opened, in terms of the options; throws other errors again. */
export function listenFailure(error: unknown, { listen }: ServePlan): UsageError {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  const options: Readonly<Record<PortOption, number>> = {
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
      return new UsageError(`port ${port} may not be used: choose another with \`--${option}\``);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(`\`--host\` is \`${listen.host}\`: give a name of this machine`);
    default:
      throw error;
  }
}
