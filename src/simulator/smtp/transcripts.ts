/** Transcripts of the last SMTP sessions: what each side said, without passwords and messages. */
import { LIMITS } from "../../base/limits.ts";

export interface SmtpLine {
  /** By the simulator's clock. */
  readonly atMs: number;
  /** `note`: said by neither side, for example the size of the message. */
  readonly from: "client" | "server" | "note";
  readonly text: string;
}

export interface SmtpSession {
  readonly id: string;
  readonly server: "mx" | "submission";
  /** Address of the client. */
  readonly remote: string;
  readonly startedMs: number;
  /** `null` while the session is open. */
  readonly endedMs: number | null;
  readonly lines: readonly SmtpLine[];
  /** Number of lines that were not kept. */
  readonly linesCut: number;
}

interface Kept {
  readonly id: string;
  readonly server: SmtpSession["server"];
  readonly remote: string;
  readonly startedMs: number;
  endedMs: number | null;
  readonly lines: SmtpLine[];
  linesCut: number;
}

/** An entry that smtp-server logs: its kind, and its session. */
interface TranscriptEntry {
  readonly tnx?: string;
  readonly cid?: string;
  readonly host?: string;
}

type Log = (entry: TranscriptEntry, format?: string, ...values: readonly unknown[]) => void;

/** A logger for smtp-server, which logs no passwords. */
export interface SmtpLogger {
  readonly trace: Log;
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
  readonly fatal: Log;
}

export interface Transcripts {
  /** The listener for the sessions of one server. */
  logger(server: SmtpSession["server"]): SmtpLogger;
  note(id: string, text: string): void;
  /** The last `limit` sessions, newest first. */
  last(limit: number): readonly SmtpSession[];
  get(id: string): SmtpSession | undefined;
  clear(): void;
}

export function createTranscripts(nowMs: () => number): Transcripts {
  const sessions = new Map<string, Kept>();

  function begin(id: string, server: Kept["server"], remote: string): void {
    const started = { id, server, remote, startedMs: nowMs(), endedMs: null };
    sessions.set(id, { ...started, lines: [], linesCut: 0 });
    if (sessions.size <= LIMITS.smtpSessionsKept) return;
    const [first] = sessions.keys();
    sessions.delete(first!);
  }

  function add(id: string, from: SmtpLine["from"], text: string): void {
    const session = sessions.get(id);
    if (session === undefined) return;
    if (session.lines.length >= LIMITS.smtpSessionLinesKept) session.linesCut++;
    else {
      const kept = text.slice(0, LIMITS.smtpLineUnitsKept);
      session.lines.push({ atMs: nowMs(), from, text: kept });
    }
  }

  return {
    logger(server) {
      const hear: Log = ({ tnx, cid, host }, _format, text) => {
        if (cid === undefined) return;
        if (tnx === "command") add(cid, "client", String(text).trimEnd());
        else if (tnx === "send") add(cid, "server", String(text));
        else if (tnx === "connection" && !sessions.has(cid)) begin(cid, server, host ?? "");
        else if (tnx === "close") {
          const session = sessions.get(cid);
          if (session !== undefined) session.endedMs ??= nowMs();
        }
      };
      return { trace: hear, debug: hear, info: hear, warn: hear, error: hear, fatal: hear };
    },
    note: (id, text) => add(id, "note", text),
    last: (limit) => [...sessions.values()].reverse().slice(0, limit),
    get: (id) => sessions.get(id),
    clear: () => sessions.clear(),
  };
}
