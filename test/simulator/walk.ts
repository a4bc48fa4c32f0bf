/** Runs the commands of a console transcript, as the README shows them, without a shell: `curl`, `printf … > file` and `| jq path`. */
import nodemailer from "nodemailer";

export interface Step {
  /** As written, `$ ` and line breaks included. */
  readonly written: string;
  /** In one line. */
  readonly command: string;
  readonly output: string;
}

export function readSteps(transcript: string): readonly Step[] {
  return [...transcript.matchAll(/^\$ (?:.*\\\n)*.*$/gm)].map(({ 0: written, index }) => {
    const from = index + written.length + 1;
    const next = transcript.indexOf("\n$ ", from - 1);
    const output = transcript.slice(from, next < 0 ? undefined : next).trimEnd();
    return { written, command: written.slice(2).replace(/\\\n\s*/g, ""), output };
  });
}

/** Words of a command line; quotes are single, or none. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|[^\s']+/g)].map(([word, quoted]) => quoted ?? word);
}

/** `.logs[0].id` of a value, laid out as `jq` does. */
function pick(value: unknown, path: string): string {
  let at: unknown = value;
  for (const [, name, index] of path.matchAll(/\.(\w+)|\[(\d+)\]/g)) {
    at = (at as Record<string, unknown>)[(name ?? index)!];
  }
  return JSON.stringify(at, null, 2);
}

export interface Shell {
  readonly url: string;
  readonly mxPort: number;
  /** Written by earlier steps. */
  readonly files: Map<string, string>;
}

async function sendMail({ mxPort, files }: Shell, words: readonly string[]): Promise<string> {
  const option = (name: string): string => words[words.indexOf(name) + 1]!;
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: mxPort,
    ignoreTLS: true,
  });
  const envelope = { from: option("--mail-from"), to: [option("--mail-rcpt")] };
  await transport.sendMail({ envelope, raw: files.get(option("-T"))!.replaceAll("\n", "\r\n") });
  transport.close();
  return "";
}

async function request({ url }: Shell, words: readonly string[]): Promise<string> {
  const target = new URL(words.find((word) => word.startsWith("http://"))!);
  const option = (name: string): string | undefined =>
    words.includes(name) ? words[words.indexOf(name) + 1] : undefined;
  const [user, body] = [option("-u"), option("-d")];
  const response = await fetch(url + target.pathname + target.search, {
    method: option("-X") ?? (body === undefined ? "GET" : "POST"),
    headers: user === undefined ? {} : { authorization: `Basic ${btoa(user)}` },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return words.includes("jq") ? pick(JSON.parse(text), words.at(-1)!) : text;
}

/** What the command writes. */
export async function runStep(shell: Shell, { command }: Step): Promise<string> {
  const words = wordsOf(command);
  if (words[0] === "printf") {
    shell.files.set(words.at(-1)!, words[1]!.replaceAll("\\n", "\n"));
    return "";
  }
  return words.includes("--mail-rcpt") ? sendMail(shell, words) : request(shell, words);
}

/** Without what differs from run to run: times, ids, and what is made of them. */
export function withoutChance(output: string): string {
  return output
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>")
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
    .replace(/\b[0-9a-f]{24}\b/g, "<log id>")
    .replace(/("created(?:_at)?": )\d+/g, "$1<time>");
}
