/** Builds what rivals need, and remembers why that failed. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Absent, absent } from "./bench.ts";
import { CACHE } from "./paths.ts";

/** What a build that ended left: nothing, or why it failed. */
const outcomeFile = (name: string): string => join(CACHE, `${name}.built`);

/** Runs a command and gives what it printed; throws its last line of complaint. */
export function run(command: string, args: readonly string[], folder: string): string {
  try {
    return execFileSync(command, args, { cwd: folder, stdio: "pipe" }).toString();
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    const said = stderr?.toString().trim() || message;
    throw new Error(`\`${command}\`: ${said.split("\n").at(-1)}`);
  }
}

/** `version`: a change of it builds anew, and so does a failure. */
export function buildOnce(name: string, version: string, build: () => void): void {
  mkdirSync(CACHE, { recursive: true });
  if (readOutcome(name) === `built ${version}`) return;
  console.log(`building ${name} …`);
  try {
    build();
    writeFileSync(outcomeFile(name), `built ${version}`);
  } catch (error) {
    writeFileSync(outcomeFile(name), error instanceof Error ? error.message : String(error));
  }
}

function readOutcome(name: string): string | null {
  return existsSync(outcomeFile(name)) ? readFileSync(outcomeFile(name), "utf8") : null;
}

export function whyNotBuilt(name: string, version: string): Absent | null {
  const outcome = readOutcome(name);
  if (outcome === `built ${version}`) return null;
  const isOld = outcome === null || outcome.startsWith("built ");
  return absent(isOld ? "not built here: a full run builds it" : outcome);
}
