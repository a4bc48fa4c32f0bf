#!/usr/bin/env node
/**
 * Carries out the Dockerfile without Docker: every COPY and RUN in folders of its own, from a clean checkout, then the entry point
 * with its arguments, and its health check against it. What it does not check: the base images, and that the process is not root.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "mailflow-container-"));
const context = join(place, "context");
/** Folders of the image that its commands name. */
const FOLDERS = ["/source", "/app", "/tmp", "/data"];
const inPlace = (text) =>
  text.replaceAll(
    new RegExp(`(?<![\\w/.])(?:${FOLDERS.join("|")})(?=[/\\s"]|$)`, "g"),
    (folder) => place + folder,
  );

const instructions = readFileSync(join(root, "Dockerfile"), "utf8")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll("\\\n", " ")
  .split("\n")
  .flatMap(
    (line) =>
      /^([A-Z]+)\s+(.*)$/
        .exec(line.trim())
        ?.slice(1, 3)
        .reduce((word, rest) => [{ word, rest }]) ?? [],
  );

function copy(rest, workdir) {
  if (rest.includes("--from=")) return;
  const names = rest.split(/\s+/);
  const target = names.pop();
  for (const name of names) {
    const from = join(context, name);
    if (!existsSync(from)) throw new Error(`COPY ${name}: not in the build context`);
    const to =
      target.endsWith("/") && name !== "." ? join(workdir, target, name) : join(workdir, target);
    cpSync(from, to, { recursive: true });
  }
}

try {
  execFileSync("git", ["clone", "--quiet", root, context]);
  for (const name of readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter(Boolean)) {
    rmSync(join(context, name), { recursive: true, force: true });
  }
  for (const folder of FOLDERS) mkdirSync(place + folder);
  let workdir = place;
  const env = { ...process.env };
  let [entry, args, health] = [[], [], []];
  for (const { word, rest } of instructions) {
    if (word === "WORKDIR") workdir = inPlace(rest);
    else if (word === "COPY") copy(rest, workdir);
    else if (word === "ENV") Object.assign(env, Object.fromEntries([rest.split("=")]));
    else if (word === "ENTRYPOINT") entry = JSON.parse(inPlace(rest));
    else if (word === "CMD") args = JSON.parse(inPlace(rest));
    else if (word === "HEALTHCHECK") health = JSON.parse(rest.slice(rest.indexOf("[")));
    else if (word === "RUN" && !rest.includes("chown")) {
      execFileSync("bash", ["-euc", inPlace(rest)], {
        cwd: workdir,
        stdio: ["ignore", "ignore", "inherit"],
      });
    }
  }
  const [program, ...first] = entry;
  const served = spawn(program, [...first, ...args], { cwd: workdir, env, stdio: "ignore" });
  const ended = new Promise((resolve) => served.once("exit", resolve));
  let isHealthy = false;
  for (let tries = 0; tries < 60 && !isHealthy && served.exitCode === null; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    isHealthy = spawnSync(health[0], health.slice(1)).status === 0;
  }
  served.kill("SIGTERM");
  const code = await ended;
  if (!isHealthy || code !== 0) throw new Error(`healthy: ${isHealthy}; ended with ${code}`);
  console.log(
    "the container's commands: built, served from /data, healthy, ended by SIGTERM with 0",
  );
} finally {
  rmSync(place, { recursive: true, force: true });
}
