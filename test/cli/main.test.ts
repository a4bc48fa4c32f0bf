/** The executable itself, bundled as it is published, in a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cwd = join(root, "corpus/demo");
// Within the package, so that it finds its dependencies.
const executable = join(root, "node_modules/.cache/mailflow-test/cli.js");

beforeAll(async () => {
  await build({
    entryPoints: [join(root, "src/cli/main.ts")],
    outfile: executable,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
});

function run(
  argv: readonly string[],
  input: string = "",
): { status: unknown; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...argv], {
    cwd,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("answers on standard output, and with its exit code", () => {
  const { status, stdout, stderr } = run(["route", "domain.json", "messages/02-invoice.eml"]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^messages\/02-invoice\.eml for accounts@paperlane\.example: forwarded\n/);
  expect(run(["check", "messages/02-invoice.eml"]).status).toBe(1);
  expect(run(["nothing"]).status).toBe(2);
});

test("finds its version", () => {
  expect(run(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("reads standard input", () => {
  const mail = "To: orders@paperlane.example\n\nhi\n";
  const { status, stdout } = run(["route", "domain.json", "-"], mail);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\(stdin\) for orders@paperlane\.example: forwarded\n/);
});

test("ends quietly when nobody reads on", async () => {
  // Far more than a pipe holds.
  const messages = Array.from({ length: 400 }, () => "messages");
  const argv = [executable, "route", "domain.json", ...messages, "--json", "--explain"];
  const child = spawn(process.execPath, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, said]).toEqual([0, ""]);
});
