/** What the texts of the grid are put together from: thousands of pieces of six kinds of text, made once and kept. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { messageLimits } from "../../src/message/message-limits.ts";
import { partsOfMessage } from "../../src/message/message-parts.ts";
import { wholeOf } from "../../src/message/message-source.ts";
import { parsedMail, rawMail } from "../material/mail.ts";
import { CACHE } from "../paths.ts";
import { randomFrom } from "../random.ts";
import type { TextKind } from "./grid.ts";

type PoolName = TextKind | "recipients" | "senders";

/** Raised whenever this file changes what it makes. */
const VERSION = 1;
const MESSAGES = 1_500;
/** Code units of a piece, at most: a text of 1 KB has several. */
const PIECE_UNITS_MAX = 400;
const PIECES_MAX = 12_000;

/** Pieces at their line breaks, each ending in one. */
function linesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const line of text.split("\n")) {
    for (let at = 0; at < line.length; at += PIECE_UNITS_MAX) {
      piece += line.slice(at, at + PIECE_UNITS_MAX);
      if (piece.length < PIECE_UNITS_MAX / 2) continue;
      pieces.push(`${piece}\n`);
      piece = "";
    }
    if (piece !== "") piece += "\n";
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}

function htmlSources(): string[] {
  const limits = messageLimits(undefined);
  return rawMail(MESSAGES)
    .flatMap(({ bytes }) => partsOfMessage(wholeOf(bytes), limits).parts)
    .filter((part) => part.contentType === "text/html" && part.transferEncoding === "identity")
    .map(({ content }) => Buffer.from(content).toString("latin1"))
    .map((text) => text.replace(/[^\n\x20-\x7e]/g, " "));
}

/** Lines as mail servers and web servers write them, with the addresses of real mail. */
function logLines(random: () => number, addresses: readonly string[]): string[] {
  const below = (max: number): number => Math.floor(random() * max);
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const hex = (digits: number): string =>
    below(16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  const ip = (): string => `${1 + below(223)}.${below(256)}.${below(256)}.${below(256)}`;
  const two = (max: number): string => String(below(max)).padStart(2, "0");
  const time = (): string => `${two(24)}:${two(60)}:${two(60)}`;
  const id = (): string => `${hex(5)}${hex(6)}`.toUpperCase();
  const day = (): string => `${one(["Jan", "Mar", "Jun", "Sep", "Nov"])} ${1 + below(28)}`;
  const words = ["status", "retry", "worker", "upstream", "cache", "session", "timeout", "queue"];
  const forms: readonly (() => string)[] = [
    () =>
      `${day()} ${time()} mx${below(9)} postfix/smtp[${below(65_536)}]: ${id()}: to=<${one(addresses)}>, relay=mail.${one(addresses).split("@")[1]}[${ip()}]:25, delay=${below(90)}.${below(100)}, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as ${id()})`,
    () =>
      `${day()} ${time()} mx${below(9)} postfix/smtpd[${below(65_536)}]: NOQUEUE: reject: RCPT from unknown[${ip()}]: 550 5.1.1 <${one(addresses)}>: Recipient address rejected`,
    () =>
      `${ip()} - - [${two(28)}/Nov/2026:${time()} +0000] "GET /${one(words)}/${hex(6)}?page=${below(99)} HTTP/1.1" ${one([200, 200, 304, 404, 500])} ${below(90_000)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
    () =>
      `2026-11-${two(28)}T${time()}.${below(1_000)}Z ${one(["INFO", "WARN", "ERROR"])} [${one(words)}-${below(32)}] request ${hex(6)}-${hex(4)}-${hex(4)} took ${below(5_000)} ms, ${one(words)}=${one(words)}`,
  ];
  return Array.from({ length: PIECES_MAX }, () => `${one(forms)()}\n`);
}

/** Words of letters that are drawn alike often. */
function letterLines(random: () => number): string[] {
  const word = (): string => {
    const letters = Array.from({ length: 2 + Math.floor(random() * 9) }, () =>
      String.fromCharCode(97 + Math.floor(random() * 26)),
    ).join("");
    return random() < 0.1 ? letters[0]!.toUpperCase() + letters.slice(1) : letters;
  };
  const line = (): string => Array.from({ length: 24 }, word).join(" ");
  return Array.from({ length: PIECES_MAX }, () => `${line()}\n`);
}

/** Sentences that people wrote: the messages of TypeScript's compiler in Japanese and both writings of Chinese. */
function cjkSentences(): string[] {
  const folder = dirname(createRequire(import.meta.url).resolve("typescript"));
  return ["ja", "zh-cn", "zh-tw"].flatMap((language) => {
    const file = join(folder, language, "diagnosticMessages.generated.json");
    const messages = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
    // What is mostly ASCII would make the text half English.
    return Object.values(messages)
      .filter((message) => (message.match(/[\u3000-\u9fff]/g)?.length ?? 0) * 2 > message.length)
      .map((message) => `${message}\n`);
  });
}

/** Compressed mail in lines of 76 characters, as attachments stand in a message's source. */
function base64Lines(): string[] {
  const bytes = Buffer.concat(rawMail(MESSAGES).map(({ bytes }) => deflateRawSync(bytes)));
  const lines: string[] = [];
  for (let at = 0; at + 228 <= bytes.length && lines.length < PIECES_MAX; at += 228) {
    const text = bytes.subarray(at, at + 228).toString("base64");
    lines.push(text.replace(/.{76}/g, "$&\n"));
  }
  return lines;
}

/** At most `PIECES_MAX`, a step apart, so that no part of the source is left out. */
function thinned(pieces: readonly string[]): readonly string[] {
  const count = Math.min(pieces.length, PIECES_MAX);
  return Array.from(
    { length: count },
    (_, at) => pieces[Math.floor((at * pieces.length) / count)]!,
  );
}

function makePools(): Readonly<Record<PoolName, readonly string[]>> {
  const random = randomFrom(20261122);
  const mail = parsedMail(MESSAGES, "other");
  const senders = mail.map(({ sender }) => sender).filter((each) => each !== "");
  return {
    english: thinned(mail.flatMap(({ body }) => linesOf(body.toWellFormed()))),
    letters: letterLines(random),
    html: thinned(htmlSources().flatMap(linesOf)),
    log: logLines(random, senders),
    cjk: thinned(cjkSentences()),
    base64: base64Lines(),
    recipients: [...new Set(mail.map(({ recipient }) => recipient))],
    senders: [...new Set(senders)],
  };
}

const fileOf = (name: PoolName): string => join(CACHE, `pool-${VERSION}-${name}.json`);

/** Pieces of a kind of text, or addresses of real mail in lower case; from files that are made where one is missing. */
export function readPool(name: PoolName): readonly string[] {
  if (!existsSync(fileOf(name))) {
    mkdirSync(CACHE, { recursive: true });
    for (const [made, pieces] of Object.entries(makePools())) {
      const partial = `${fileOf(made as PoolName)}.${process.pid}`;
      writeFileSync(partial, JSON.stringify(pieces));
      // Another process may be making the same: each file is whole, whoever ends last.
      renameSync(partial, fileOf(made as PoolName));
    }
  }
  return JSON.parse(readFileSync(fileOf(name), "utf8")) as readonly string[];
}
