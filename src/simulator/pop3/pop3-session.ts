/** One POP3 session (RFC 1939): reads and deletes messages of one mailbox of the simulated internet. */
import { LIMITS } from "../../base/limits.ts";
import { contentOf, deleteMessages, findMessages } from "../control/inbox/inbox.ts";
import type { Service } from "../model/service.ts";

/** Whether the password opens the mailbox of this name; slowed down for guessers. */
export type SignIn = (name: string, password: string) => Promise<boolean>;

export interface Pop3Reply {
  /** Without its last line break. */
  readonly text: string;
  /** The octets of a message that follows, if any; the server stuffs dots and adds the end. */
  readonly octets?: Uint8Array;
  readonly over?: true;
}

interface MailboxMail {
  readonly id: string;
  readonly bytes: number;
  isDeleted: boolean;
}

const ok = (text = ""): Pop3Reply => ({ text: `+OK ${text}`.trimEnd() });
const err = (text: string): Pop3Reply => ({ text: `-ERR ${text}` });
const lines = (first: string, rest: readonly string[]): Pop3Reply => ({
  text: [`+OK ${first}`.trimEnd(), ...rest, "."].join("\r\n"),
});

const CAPABILITIES = ["USER", "TOP", "UIDL", "IMPLEMENTATION mailflow"];

/** The header and the first lines of the body (RFC 1939 §7 TOP). */
function topOf(octets: Uint8Array, count: number): Uint8Array {
  const text = Buffer.from(octets);
  const blank = text.indexOf("\r\n\r\n");
  if (blank < 0) return octets;
  let end = blank + 4;
  for (let line = 0; line < count && end < text.length; line++) {
    const next = text.indexOf("\r\n", end);
    end = next < 0 ? text.length : next + 2;
  }
  return octets.subarray(0, end);
}

type Pop3Command = (
  session: Pop3Session,
  args: readonly string[],
) => Pop3Reply | Promise<Pop3Reply>;

/** Before sign-in. */
const BEFORE: Readonly<Record<string, Pop3Command>> = {
  USER: (session, args) => session.name(args.join(" ").trim()),
  PASS: (session, args) => session.signIn(args.join(" ")),
};

/** After sign-in. */
const AFTER: Readonly<Record<string, Pop3Command>> = {
  STAT: (session) => ok(session.total()),
  LIST: (session, [at]) => session.list(at, ({ bytes }) => String(bytes)),
  UIDL: (session, [at]) => session.list(at, ({ id }) => id),
  RETR: (session, [at]) => session.retrieve(at),
  TOP: (session, [at, count = ""]) =>
    /^\d{1,9}$/.test(count)
      ? session.retrieve(at, Number(count))
      : err("give a message and a number of lines"),
  DELE: (session, [at]) => session.drop(at),
  RSET: (session) => session.restore(),
};

/** Shows the messages present at sign-in; messages are deleted at QUIT. */
export class Pop3Session {
  readonly #service: Service;
  readonly #check: SignIn;
  #name = "";
  #mails: MailboxMail[] | undefined;
  #commands = 0;

  constructor(service: Service, check: SignIn) {
    this.#service = service;
    this.#check = check;
  }

  /** The answer to one line. */
  async take(line: string): Promise<Pop3Reply> {
    if (++this.#commands > LIMITS.pop3CommandsMax)
      return { ...err("too many commands"), over: true };
    const [verb = "", ...args] = line.split(" ");
    const name = verb.toUpperCase();
    if (name === "QUIT") return this.#quit();
    if (name === "CAPA") return lines("", CAPABILITIES);
    if (name === "NOOP") return ok();
    const commands = this.#mails === undefined ? BEFORE : AFTER;
    if (Object.hasOwn(commands, name)) return commands[name]!(this, args);
    if (Object.hasOwn(BEFORE, name) || Object.hasOwn(AFTER, name)) return err("not now");
    return err("no such command");
  }

  name(name: string): Pop3Reply {
    this.#name = name;
    return name === "" ? err("give an address") : ok("send the password");
  }

  async signIn(password: string): Promise<Pop3Reply> {
    if (this.#name === "") return err("send USER first");
    if (!(await this.#check(this.#name, password)))
      return { ...err("wrong name or password"), over: true };
    const filter = { destination: this.#name };
    const listing = { order: "newest", limit: LIMITS.pop3MessagesMax } as const;
    const rows = await findMessages(this.#service.store, filter, listing);
    this.#mails = rows
      .filter(({ kind }) => kind === "mailbox")
      .reverse()
      .map(({ id, bytes }) => ({ id, bytes, isDeleted: false }));
    return ok(this.total());
  }

  total(): string {
    const kept = this.#mails!.filter(({ isDeleted }) => !isDeleted);
    return `${kept.length} ${kept.reduce((sum, { bytes }) => sum + bytes, 0)}`;
  }

  #at(at: string | undefined): MailboxMail | undefined {
    const mail = /^\d{1,9}$/.test(at ?? "") ? this.#mails![Number(at) - 1] : undefined;
    return mail?.isDeleted === false ? mail : undefined;
  }

  list(at: string | undefined, show: (mail: MailboxMail) => string): Pop3Reply {
    if (at !== undefined) {
      const mail = this.#at(at);
      return mail === undefined ? err("no such message") : ok(`${at} ${show(mail)}`);
    }
    const shown = this.#mails!.flatMap((mail, index) =>
      mail.isDeleted ? [] : [`${index + 1} ${show(mail)}`],
    );
    return lines(this.total(), shown);
  }

  async retrieve(at: string | undefined, lineCount?: number): Promise<Pop3Reply> {
    const mail = this.#at(at);
    // The message may be deleted by now.
    const octets =
      mail === undefined
        ? undefined
        : await contentOf(this.#service.store, mail.id).catch(() => undefined);
    if (octets === undefined) return err("no such message");
    const shown = lineCount === undefined ? octets : topOf(octets, lineCount);
    return { ...ok(`${octets.length} octets`), octets: shown };
  }

  drop(at: string | undefined): Pop3Reply {
    const mail = this.#at(at);
    if (mail === undefined) return err("no such message");
    mail.isDeleted = true;
    return ok();
  }

  restore(): Pop3Reply {
    for (const mail of this.#mails!) mail.isDeleted = false;
    return ok(this.total());
  }

  async #quit(): Promise<Pop3Reply> {
    const gone = (this.#mails ?? []).filter(({ isDeleted }) => isDeleted).map(({ id }) => id);
    if (gone.length > 0) await deleteMessages(this.#service, gone);
    return { ...ok("bye"), over: true };
  }
}
