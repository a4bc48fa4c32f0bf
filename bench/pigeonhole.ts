/** Dovecot Pigeonhole as a contestant: the rules as one Sieve script, `sieve-filter` over a Maildir. */
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Absent, absent, type MeasuredWork } from "./bench.ts";
import type { MarkedMail, PeerRule } from "./peer-material.ts";
import { NOBODY, PROGRAM_FOLDERS } from "./peer-material.ts";

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

/** POSIX has no groups that do not capture, and no classes by a letter. */
function posixPattern(pattern: string): string {
  return pattern.replaceAll("(?:", "(").replaceAll("\\d", "[0-9]");
}

function testOf({ kind, text }: PeerRule): string {
  const exact = ':comparator "i;octet"';
  switch (kind) {
    case "alias":
      return `header ${exact} :is "x-recipient" ${quote(`${text}@own.test`)}`;
    case "body":
      return `body ${exact} :text :contains ${quote(text)}`;
    case "sender":
      return `header ${exact} :regex "x-sender" ${quote(posixPattern(text))}`;
    case "subject":
      return `header ${exact} :regex "subject" ${quote(posixPattern(text))}`;
  }
}

/** The first rule that matches files the message under its id, and ends the script. */
function scriptOf(rules: readonly PeerRule[]): string {
  const tests = rules.map((rule) => `if ${testOf(rule)} { fileinto "${rule.id}"; stop; }`);
  return ['require ["fileinto", "body", "regex"];', ...tests, ""].join("\n");
}

function makeMaildir(folder: string, mail: readonly MarkedMail[]): void {
  for (const part of ["cur", "new", "tmp"]) mkdirSync(join(folder, part), { recursive: true });
  for (const [index, { bytes }] of mail.entries())
    writeFileSync(join(folder, "cur", `${1_600_000_000 + index}.m${index}.host:2,S`), bytes);
}

interface Run {
  readonly ns: number;
  readonly printed: string;
}

/** Filters a Maildir without acting: what would be done with each message is printed. */
function filter(folder: string, config: string): Promise<Run> {
  return new Promise((resolve, reject) => {
    const timed = 'TIMEFORMAT="%U %S"; time sieve-filter -c "$1" "$2" INBOX 2>/dev/null';
    const args = ["-c", timed, "bash", config, join(folder, "rules.sieve")];
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const env = { ...process.env, HOME: folder, USER: "nobody" };
    const child = spawn("bash", args, { cwd: folder, env, ...identity });
    let [printed, complaint] = ["", ""];
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = complaint.trim().split(" ").map(Number);
      if (code === 0) resolve({ ns: (seconds[0]! + seconds[1]!) * 1e9, printed });
      else reject(new Error(`sieve-filter ended with ${code}: ${complaint.slice(-300)}`));
    });
  });
}

function configFile(folder: string, name: string): string {
  const file = join(folder, `${name}.conf`);
  const lines = [
    `base_dir = ${folder}/run`,
    `mail_location = maildir:${folder}/${name}`,
    "log_path = /dev/stderr",
    "ssl = no",
    "plugin {\n  sieve_max_script_size = 10M\n  sieve_extensions = +regex\n}",
    "namespace inbox {\n  inbox = yes\n}",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** The time of filtering, less that of starting on an empty Maildir. */
export async function pigeonhole(
  rules: readonly PeerRule[],
  mail: readonly MarkedMail[],
): Promise<MeasuredWork | Absent> {
  const isThere = PROGRAM_FOLDERS.some((folder) => existsSync(join(folder, "sieve-filter")));
  if (!isThere) return absent("Debian's dovecot-sieve is not installed");
  const folder = mkdtempSync(join(tmpdir(), "mailflow-pigeonhole-"));
  writeFileSync(join(folder, "rules.sieve"), scriptOf(rules));
  makeMaildir(join(folder, "mail"), mail);
  makeMaildir(join(folder, "empty"), []);
  const [full, empty] = [configFile(folder, "mail"), configFile(folder, "empty")];
  chmodSync(folder, 0o755);
  execFileSync("sievec", ["-c", full, join(folder, "rules.sieve")], { cwd: folder, stdio: "pipe" });
  if (process.getuid?.() === 0) {
    execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
    chownSync(folder, NOBODY, NOBODY);
  }
  return {
    operations: mail.length,
    async measure(runs) {
      let [cost, printed] = [0, ""];
      for (let run = 0; run < runs; run++) {
        const started = await filter(folder, empty);
        const whole = await filter(folder, full);
        // Few messages take less than the start varies by.
        cost += Math.max(whole.ns - started.ns, 1e6);
        printed = whole.printed;
      }
      const answers = printed
        .split(">> Filtering message:")
        .slice(1)
        .map((told) => /store message in folder: (r\d+)/.exec(told)?.[1] ?? "none");
      return { cost, answers };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
