/** `mailflow serve`: runs the whole email forwarding service on this machine. */

import { count } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import type { Simulator } from "../../simulator/create-simulator.ts";
import type { Listening } from "../../simulator/listen.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { writeLines } from "../line.ts";
import { listenFailure, readPlan, type ServePlan } from "../read/serve-plan.ts";
import { note, type Reports } from "../report.ts";
import { untilSignal } from "../signals.ts";

async function openSimulator({ simulator, journal }: ServePlan, io: CliIo): Promise<Simulator> {
  // Imported only here: no other command needs any of it.
  const {
    createJournal,
    createSimulator,
    DirectoryInUseError,
    ServiceProblem,
    StoreUnavailableError,
  } = await import("../../simulator/index.ts");
  const onDefect = (defect: unknown): void => {
    const said = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
    const lines = said.split("\n").map((line) => [line]);
    void writeLines(io.stderr, io.env, [["a bug in mailflow, please report it:"], ...lines]);
  };
  try {
    const written = journal === undefined ? {} : { journal: createJournal(journal) };
    return await createSimulator({ ...simulator, ...written, onDefect });
  } catch (problem) {
    if (problem instanceof DirectoryInUseError || problem instanceof StoreUnavailableError) {
      throw new UsageError(problem.message);
    }
    if (!(problem instanceof ServiceProblem)) throw problem;
    const messages = Object.values(problem.errors).flat();
    throw new UsageError([problem.message, ...messages.slice(1)].join("; "));
  }
}

function welcome({ apiKey }: Simulator, server: Listening, isKept: boolean): Line[] {
  const { host, url, pageUrl, mxPort, submissionPort } = server;
  const row = (name: string, value: string, more = ""): Line => [
    styled("bold", name.padEnd(12)),
    value,
    more,
  ];
  return [
    ...(pageUrl === null ? [] : [row("page", pageUrl, ", open it in a browser")]),
    row("API", `${url}/v4`, " and /v3"),
    row("API key", apiKey, ", the password of the user `api`"),
    row("MX", `smtp://${host}:${mxPort}`, ", accepts mail for the domains"),
    row(
      "submission",
      `smtp://${host}:${submissionPort}`,
      ", STARTTLS, with a domain's credentials",
    ),
    row("control", `${url}/_sim/`),
    [],
    [`try: curl -u api:${apiKey} ${url}/v4/domains -d '{"domain":"example.com"}'`],
    [`Ctrl-C ends it; ${isKept ? "everything is kept" : "nothing is kept"}.`],
  ];
}

/** What programs have to know once it listens. */
function addresses({ apiKey }: Simulator, server: Listening): object {
  const { host, url, pageUrl, httpPort, mxPort, submissionPort } = server;
  const { submissionsPort, pop3Port } = server;
  const more = {
    ...(pageUrl === null ? {} : { pageUrl }),
    ...(submissionsPort === null ? {} : { submissionsPort }),
    ...(pop3Port === null ? {} : { pop3Port }),
  };
  return { url, host, httpPort, mxPort, submissionPort, ...more, apiKey };
}

/** Serves from the first request to the last delivery. */
async function* serveUntil(
  ended: Promise<void>,
  plan: ServePlan,
  { options }: Given,
  io: CliIo,
): Reports<void> {
  const simulator = await openSimulator(plan, io);
  try {
    const server = await simulator.listen(plan.listen).catch((error: unknown) => {
      throw listenFailure(error, plan);
    });
    const isKept = options.has("data") || options.has("store");
    yield {
      text: () => welcome(simulator, server, isKept),
      json: () => addresses(simulator, server),
    };
    await ended;
    const waiting = await server.close();
    if (waiting === 0) return;
    const what = count(waiting, "delivery", "deliveries");
    yield note([`${what} still waited and ${isKept ? "will be made later" : "will not be made"}`]);
  } finally {
    await simulator.close();
  }
}

async function* runServe(given: Given, io: CliIo): Reports {
  const plan = await readPlan(given, io);
  const until = untilSignal(io);
  try {
    yield* serveUntil(until.ended, plan, given, io);
    return EXIT.ok;
  } finally {
    until.ignore();
  }
}

export const serveCommand: Command = {
  name: "serve",
  summary: "runs the whole service on this machine: API, SMTP, deliveries and logs",
  arguments: [],
  options: [
    { name: "port", value: "port", description: "HTTP port of the API (default 8025)" },
    { name: "smtp-port", value: "port", description: "port of the MX (default 2525)" },
    {
      name: "submission-port",
      value: "port",
      description: "port for mail that credentials send (default 2587)",
    },
    {
      name: "submissions-port",
      value: "port",
      description: "port for the same with TLS from the start (default: none)",
    },
    {
      name: "pop3-port",
      value: "port",
      description: "port for reading mailboxes by POP3, with the API key (default: none)",
    },
    {
      name: "tls-cert",
      value: "file",
      description: "certificate for SMTP, PEM (default: a new one)",
    },
    { name: "tls-key", value: "file", description: "its key, PEM" },
    { name: "auth-without-tls", description: "let credentials sign in without TLS" },
    { name: "accept-any-auth", description: "accept every name and password" },
    { name: "host", value: "host", description: "where to listen (default 127.0.0.1)" },
    {
      name: "seed",
      value: "world.json",
      description: "the account, domains and rules to start with",
    },
    {
      name: "data",
      value: "directory",
      description: "keep everything in this directory across restarts",
    },
    {
      name: "store",
      value: "postgres://…",
      description: "keep everything in this PostgreSQL, which several `serve` may share",
    },
    {
      name: "relay",
      value: "host:port",
      description: "deliver to mailboxes through this server (default: only record it)",
    },
    {
      name: "dns",
      value: "source",
      choices: ["zone", "system"],
      description: "verify domains with simulated records (default) or real ones",
    },
    { name: "keep-messages", value: "count", description: "messages kept (default 10000)" },
    { name: "keep-bytes", value: "bytes", description: "octets of them (default 128 MB)" },
    {
      name: "keep-logs",
      value: "count",
      description:
        "log entries kept (default 20000; with --data and --store: as long as the plan allows)",
    },
    {
      name: "mx-host",
      value: "name",
      repeats: "repeats",
      description: "host of the MX records, and name of the service; may be repeated",
    },
    { name: "dkim-host", value: "name", description: "host that DKIM records point below" },
    { name: "spf-host", value: "name", description: "host that SPF records include" },
    { name: "strict", description: "refuse fields that the API does not know" },
    { name: "api-key", value: "key", description: "API key (default: a new one each time)" },
    {
      name: "allow-private-webhooks",
      description: "also POST to webhooks on this machine and its network",
    },
    {
      name: "log",
      value: "level",
      choices: ["warn", "info", "debug"],
      description: "write a line of JSON to standard error for each event and request",
    },
    { name: "log-content", description: "include subjects and addresses of mail in these lines" },
    { name: "json", description: "print one JSON object once it listens: url, ports, apiKey" },
  ],
  notes: [
    "",
    "Port 0 means any free port. Webhooks really receive a POST. With a --host other than 127.0.0.1, the control",
    "plane under /_sim/ asks for the API key. SIGINT or SIGTERM ends it after all accepted mail is logged.",
    "Exit code: 0 ended by a signal, 2 wrong use, an unreadable or invalid world, or a port in use.",
  ],
  examples: [
    "mailflow serve",
    "mailflow serve --seed world.json --api-key secret",
    "mailflow serve --port 0 --smtp-port 0 --submission-port 0 --json",
  ],
  run: runServe,
};
