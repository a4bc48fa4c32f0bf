/**
 * Load of a process of its own that keeps servers busy: connections stay open, and commands go in one piece. smtp-server waits 100 ms
 * before it greets, so a connection for each message would measure that. One line of JSON in, one out.
 */
import { connect, type Socket } from "node:net";
import { DOMAIN } from "./load.ts";

export interface SteadyLoad {
  readonly ports: readonly number[];
  readonly connections: number;
  readonly warmMs: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export interface SteadyResult {
  /** Messages acknowledged in all, and those a second of each round. */
  readonly acknowledged: number;
  readonly perSecond: readonly number[];
  /** Answers to messages and commands other than 250 and 354. */
  readonly refused: number;
  /** Processor seconds of this process, and all of its seconds. */
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Of one connection: what servers allow one. */
const MESSAGES_MAX = 100;
const COMMANDS = `MAIL FROM:<author@source.example>\r\nRCPT TO:<box@${DOMAIN}>\r\nDATA\r\n`;
/** About a kilobyte, as short mail has. */
const BODY = "A line of some sixty letters, as people write them in mail.\r\n".repeat(15);

let acknowledged = 0;
let refused = 0;
let state: "running" | "stopped" = "running";

function textOf(serial: number): string {
  return `From: author@source.example\r\nTo: box@${DOMAIN}\r\nSubject: steady ${process.pid} ${serial}\r\n\r\n${BODY}.\r\n`;
}

/** Complete answers, one after another. */
function answersOf(socket: Socket): () => Promise<string> {
  let held = "";
  const lines: string[] = [];
  let waiting: ((code: string) => void) | undefined;
  const give = (code: string): void => {
    const asked = waiting;
    waiting = undefined;
    if (asked === undefined) lines.push(code);
    else asked(code);
  };
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const parts = (held + chunk).split("\r\n");
    held = parts.pop()!;
    for (const line of parts) if (line[3] === " ") give(line.slice(0, 3));
  });
  socket.on("error", () => {}).on("close", () => give("end"));
  return () =>
    new Promise((resolve) => {
      const next = lines.shift();
      if (next === undefined) waiting = resolve;
      else resolve(next);
    });
}

/** One connection's worth of messages. */
async function converse(port: number, serial: () => number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const answer = answersOf(socket);
  await answer();
  socket.write("EHLO load.example\r\n");
  await answer();
  for (let sent = 0; sent < MESSAGES_MAX && state === "running"; sent++) {
    socket.write(COMMANDS);
    const codes = [await answer(), await answer(), await answer()];
    if (codes.join() !== "250,250,354") {
      refused++;
      break;
    }
    socket.write(textOf(serial()));
    if ((await answer()) === "250") acknowledged++;
    else {
      refused++;
      break;
    }
  }
  socket.destroy();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function run({
  ports,
  connections,
  warmMs,
  rounds,
  roundMs,
}: SteadyLoad): Promise<SteadyResult> {
  let serial = 0;
  const began = performance.now();
  const running = Array.from({ length: connections }, async (_, at) => {
    while (state === "running") await converse(ports[at % ports.length]!, () => serial++);
  });
  await pause(warmMs);
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [before, from] = [acknowledged, performance.now()];
    await pause(roundMs);
    perSecond.push(((acknowledged - before) * 1_000) / (performance.now() - from));
  }
  state = "stopped";
  await Promise.all(running);
  const { user, system } = process.cpuUsage();
  const seconds = (performance.now() - began) / 1_000;
  return { acknowledged, perSecond, refused, cpuSeconds: (user + system) / 1e6, seconds };
}

if (process.argv[2] !== undefined) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]))));
}
