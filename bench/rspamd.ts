/** rspamd as a contestant: the rules as regular expressions of its regexp module, one worker, asked over HTTP. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Absent, absent, type MeasuredWork } from "./bench.ts";
import { cpuNsOf } from "./cpu-time.ts";
import { escapePattern } from "./material/mixed-rules.ts";
import { type MarkedMail, type PeerRule, PROGRAM_FOLDERS } from "./peer-material.ts";

/** Messages under way at once, so that the worker never waits for us. */
const UNDER_WAY = 4;
/** Starting takes seconds: it compiles all patterns into Hyperscan databases first. */
const START_MS = 60_000;

function sourceOf({ kind, text }: PeerRule): string {
  const slashed = (pattern: string): string => pattern.replace(/(?<!\\)\//g, "\\/");
  switch (kind) {
    case "alias":
      return `X-Recipient=/^${escapePattern(text)}@own\\.test$/`;
    case "body":
      return `/${escapePattern(text)}/P`;
    case "sender":
      return `X-Sender=/${slashed(text)}/`;
    case "subject":
      return `Subject=/${slashed(text)}/`;
  }
}

function luaOf(rules: readonly PeerRule[]): string {
  const lines = rules.map((rule, index) => {
    const re = `[==[${sourceOf(rule)}]==]`;
    return `config['regexp']['R${index}'] = { re = ${re}, score = 0.01 }`;
  });
  return ["config['regexp'] = {}", ...lines, ""].join("\n");
}

/** Nothing but the regexp module: no language models, statistics, maps or name servers. */
function configOf(folder: string, port: number): string {
  return `options {
  pidfile = "${folder}/pid"; tempdir = "${folder}"; url_tld = "${folder}/tld"; hs_cache_dir = "${folder}";
  control_socket = "${folder}/control mode=0600"; filters = "regexp"; explicit_modules = ["regexp"];
  dns { nameserver = "127.0.0.1"; timeout = 0.1; retransmits = 1; }
  local_addrs = []; disable_monitoring = true;
}
logging { type = "file"; filename = "${folder}/log"; level = "info"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; task_timeout = 60; }
modules { path = []; }
lua = "${folder}/rules.lua";
actions { reject = 1000000; }
`;
}

async function untilReady(log: string, regexes: number): Promise<void> {
  const loaded = new RegExp(`hyperscan database of ${regexes} regexps has been loaded`);
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(250)) {
    if (existsSync(log) && loaded.test(readFileSync(log, "utf8"))) return sleep(1_500);
  }
  throw new Error("rspamd did not load its patterns in time");
}

function check(agent: Agent, port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, port, host: "127.0.0.1", method: "POST", path: "/checkv2" },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      },
    );
    asked.on("error", reject);
    asked.end(bytes);
  });
}

/** The first of the rules that matched. */
function firstRule(reply: string, rules: readonly PeerRule[]): string {
  let least = Infinity;
  for (const [, index] of reply.matchAll(/"name":"R(\d+)"/g))
    least = Math.min(least, Number(index));
  return rules[least]?.id ?? "none";
}

export async function rspamd(
  rules: readonly PeerRule[],
  mail: readonly MarkedMail[],
): Promise<MeasuredWork | Absent> {
  const isThere = PROGRAM_FOLDERS.some((folder) => existsSync(join(folder, "rspamd")));
  if (!isThere) return absent("Debian's rspamd is not installed");
  const folder = mkdtempSync(join(tmpdir(), "mailflow-rspamd-"));
  chmodSync(folder, 0o777);
  const port = 20_000 + (process.pid % 10_000);
  writeFileSync(join(folder, "rules.lua"), luaOf(rules));
  writeFileSync(join(folder, "tld"), "com\norg\nnet\nedu\n");
  writeFileSync(join(folder, "rspamd.conf"), configOf(folder, port));
  const args = ["-f", "-i", "-c", join(folder, "rspamd.conf")];
  const identity = process.getuid?.() === 0 ? ["-u", "nobody", "-g", "nogroup"] : [];
  const daemon = spawn("rspamd", [...args, ...identity], { stdio: "ignore" });
  const close = (): void => {
    daemon.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const distinct = new Set(rules.map(sourceOf)).size;
  try {
    await untilReady(join(folder, "log"), distinct);
  } catch (error) {
    close();
    return absent((error as Error).message);
  }
  const agent = new Agent({ keepAlive: true, maxSockets: UNDER_WAY });
  return {
    operations: mail.length,
    async measure(runs) {
      const replies: string[] = new Array(mail.length).fill("");
      const start = cpuNsOf(daemon.pid!);
      for (let run = 0; run < runs; run++) {
        let next = 0;
        const lane = async (): Promise<void> => {
          for (let at = next++; at < mail.length; at = next++)
            replies[at] = await check(agent, port, mail[at]!.bytes);
        };
        await Promise.all(Array.from({ length: UNDER_WAY }, lane));
      }
      const cost = cpuNsOf(daemon.pid!) - start;
      return { cost, answers: replies.map((reply) => firstRule(reply, rules)) };
    },
    close,
  };
}
