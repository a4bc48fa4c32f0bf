/** Clients that hand in messages one after another, to any server that is up, and note which were acknowledged. */
import { connect } from "node:net";

export const DOMAIN = "faults.test";

export interface Load {
  /** Subjects of the messages that were answered with 250. */
  readonly acknowledged: ReadonlySet<string>;
  /** Messages that were handed in, acknowledged or not. */
  readonly sent: number;
  /** Answers by their code; `lost`: the connection ended without one. */
  readonly answers: ReadonlyMap<string, number>;
  /** Lets each client end its message. */
  stop(): Promise<void>;
}

const ANSWER_MS = 15_000;

/** The code of the answer to the message; "lost" when the connection ends before it. */
function handIn(port: number, subject: string, text: string): Promise<string> {
  const lines = [
    "EHLO client.example\r\n",
    "MAIL FROM:<author@source.example>\r\n",
    `RCPT TO:<box@${DOMAIN}>\r\n`,
    "DATA\r\n",
    `From: author@source.example\r\nTo: box@${DOMAIN}\r\nSubject: ${subject}\r\n\r\n${text}\r\n.\r\n`,
  ];
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const timer = setTimeout(() => end("lost"), ANSWER_MS);
    const end = (code: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(code);
    };
    let held = "";
    let at = -1;
    socket.setEncoding("latin1");
    socket.on("error", () => end("lost")).on("close", () => end("lost"));
    socket.on("data", (text: string) => {
      held += text;
      const last = /(?:^|\r\n)(\d{3}) [^\r\n]*\r\n$/.exec(held);
      if (last === null) return;
      held = "";
      const code = last[1]!;
      if (!/^[23]/.test(code) || at === lines.length - 1) return end(code);
      socket.write(lines[++at]!);
    });
  });
}

export interface LoadOptions {
  readonly clients: number;
  readonly prefix: string;
  /** Between two messages of one client. */
  readonly pauseMs: number;
  /** Each message's body. */
  readonly text?: string;
}

/** `ports` gives the servers that are up now; `prefix` keeps the subjects of one load apart from those of others. */
export function startLoad(
  ports: () => readonly number[],
  { clients, prefix, pauseMs, text = "text" }: LoadOptions,
): Load {
  const acknowledged = new Set<string>();
  const answers = new Map<string, number>();
  let state: "running" | "stopped" = "running";
  let sent = 0;

  async function run(client: number): Promise<void> {
    for (let turn = client; state === "running"; turn++) {
      const up = ports();
      if (up.length > 0) {
        const subject = `${prefix}-${sent++}`;
        const code = await handIn(up[turn % up.length]!, subject, text);
        answers.set(code, (answers.get(code) ?? 0) + 1);
        if (code === "250") acknowledged.add(subject);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  const running = Array.from({ length: clients }, (_, client) => run(client));
  return {
    acknowledged,
    answers,
    get sent() {
      return sent;
    },
    async stop() {
      state = "stopped";
      await Promise.all(running);
    },
  };
}
