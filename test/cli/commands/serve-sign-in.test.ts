/** How clients sign in at `mailflow serve`, by its options: TLS from the start, own certificates, without TLS, anyhow. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../../../src/simulator/smtp/certificate.ts";
import { greeted, rawClient } from "../../simulator/smtp/client.ts";
import { mailflow } from "../memory-io.ts";
import { ANY_PORTS, bundleCommand, type Served, serve } from "./serve-process.ts";

let executable: string;
beforeAll(async () => {
  ({ executable } = await bundleCommand("mailflow-serve-sign-in"));
});

const running: Served[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  }
});

const WORLD = {
  domains: [
    {
      domain: "own.test",
      aliases: [{ alias: "desk", forward: "ann@dest.test" }],
      credentials: [{ username: "desk", password: "a-long-password" }],
    },
  ],
};
const AUTH = { user: "desk@own.test", pass: "a-long-password" };

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-serve-sign-in-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

interface Ports {
  readonly mxPort: number;
  readonly submissionPort: number;
  readonly submissionsPort?: number;
  readonly url: string;
}

async function start(...options: readonly string[]): Promise<Ports> {
  const folder = await folderWith({ "world.json": JSON.stringify(WORLD) });
  const seed = ["--seed", join(folder, "world.json")];
  const served = serve(executable, [...ANY_PORTS, "--json", ...seed, ...options]);
  running.push(served);
  return JSON.parse(await served.welcome);
}

const MAIL = { from: "desk@own.test", to: "c@dest.example", subject: "Hi", text: "Hello" };

async function send(transport: ReturnType<typeof nodemailer.createTransport>): Promise<string> {
  try {
    return (await transport.sendMail(MAIL)).response;
  } finally {
    transport.close();
  }
}

const plain = (user: string, password: string): string =>
  `AUTH PLAIN ${btoa(`\0${user}\0${password}`)}`;

test("`--submissions-port` speaks TLS from the start, `--tls-cert` and `--tls-key` are what it shows", async () => {
  const { key, cert } = await makeCertificate("mail.own.test");
  const folder = await folderWith({ "cert.pem": cert, "key.pem": key });
  const { submissionsPort, submissionPort, mxPort } = await start(
    ...["--submissions-port", "0", "--tls-cert", join(folder, "cert.pem")],
    ...["--tls-key", join(folder, "key.pem")],
  );
  // Only who shows this very certificate is trusted.
  const tls = { ca: cert, servername: "mail.own.test", checkServerIdentity: () => undefined };
  const host = "127.0.0.1";
  for (const settings of [
    { port: submissionsPort!, secure: true, auth: AUTH },
    { port: submissionPort, secure: false, requireTLS: true, auth: AUTH },
  ]) {
    const transport = nodemailer.createTransport({ host, tls, ...settings });
    expect(await send(transport)).toMatch(/^250 /);
  }
  const other = nodemailer.createTransport({
    host,
    port: submissionsPort!,
    secure: true,
    auth: AUTH,
  });
  await expect(send(other)).rejects.toThrow("self-signed");
  const mx = nodemailer.createTransport({ host, port: mxPort, requireTLS: true, tls });
  await mx.sendMail({ ...MAIL, to: "desk@own.test" });
  mx.close();
});

test("by default nobody signs in without TLS, nor is asked to, and there is no port for TLS from the start", async () => {
  const { submissionPort, submissionsPort } = await start();
  expect(submissionsPort).toBeUndefined();
  const client = await rawClient(submissionPort);
  await client.answer();
  const offered = await client.ask("EHLO client.example");
  expect([offered.includes("STARTTLS"), offered.includes("AUTH")]).toEqual([true, false]);
  expect(await client.ask(plain(AUTH.user, AUTH.pass))).toMatch(/^5\d\d /);
  client.close();
});

test("`--auth-without-tls` takes the right password in clear, and no other", async () => {
  const { submissionPort } = await start("--auth-without-tls");
  const client = await greeted(submissionPort);
  expect(await client.ask(plain(AUTH.user, "wrong"))).toMatch(/^535 /);
  expect(await client.ask(plain(AUTH.user, AUTH.pass))).toMatch(/^235 /);
  client.close();
});

test("`--accept-any-auth` takes every name and password, over TLS unless that is waived too", async () => {
  const { submissionPort } = await start("--accept-any-auth", "--auth-without-tls");
  const client = await greeted(submissionPort);
  expect(await client.ask(plain("who", "ever"))).toMatch(/^235 /);
  expect(await client.ask("MAIL FROM:<any@own.test>")).toMatch(/^250 /);
  expect(await client.ask("RCPT TO:<c@dest.example>")).toMatch(/^250 /);
  client.close();
  const strict = await greeted((await start("--accept-any-auth")).submissionPort);
  expect(await strict.ask(plain("who", "ever"))).not.toMatch(/^235/);
  strict.close();
});

test("mail for `<postmaster>` without a domain is taken by SMTP, in any letter case", async () => {
  const { mxPort, url } = await start();
  const client = await greeted(mxPort);
  await client.ask("MAIL FROM:<ann@source.test>");
  expect(await client.ask("RCPT TO:<PostMaster>")).toMatch(/^250 /);
  expect(await client.ask("RCPT TO:<ann>")).toMatch(/^5\d\d /);
  await client.ask("DATA");
  client.send("Subject: help\r\n\r\nx\r\n.\r\n");
  expect(await client.answer()).toMatch(/^250 /);
  client.close();
  const found = await fetch(`${url}/_sim/messages/wait?subject=help&timeoutMs=20000`);
  const { message } = (await found.json()) as { message: { destination: string } };
  expect(message.destination).toBe("owner@account.example");
});

describe("it does not start", () => {
  test("with half of a certificate, with what is none, or with one of another key", async () => {
    const [one, two] = [await makeCertificate("a.test"), await makeCertificate("b.test")];
    const cwd = await folderWith({
      "cert.pem": one.cert,
      "key.pem": two.key,
      "no.pem": "nothing",
      "empty.pem": "",
    });
    for (const [options, said] of [
      [["--tls-cert", "cert.pem"], /--tls-key/],
      [["--tls-key", "key.pem"], /--tls-cert/],
      [["--tls-cert", "absent.pem", "--tls-key", "key.pem"], /absent\.pem/],
      [["--tls-cert", "empty.pem", "--tls-key", "key.pem"], /`empty\.pem` is empty/],
      [["--tls-cert", "cert.pem", "--tls-key", "empty.pem"], /`empty\.pem` is empty/],
      [["--tls-cert", "no.pem", "--tls-key", "key.pem"], /not a PEM certificate/],
      [["--tls-cert", "cert.pem", "--tls-key", "key.pem"], /for the key in `key\.pem`/],
    ] as const) {
      const { code, stdout, stderr } = await mailflow(["serve", ...ANY_PORTS, ...options], { cwd });
      expect([options, code, stdout]).toEqual([options, 2, ""]);
      expect(stderr).toMatch(said);
    }
  });
});
