/** The files of docs/many-machines: the one for GNU parallel is run, with workers killed; the others are parsed. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { bundledCommand, ROOT } from "../cli/executable.ts";
import { ALIAS_DOMAIN, folderWith, message } from "../cli/folder.ts";
import { mailflow } from "../cli/memory-io.ts";

const FOLDER = join(ROOT, "docs/many-machines");
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

test("the folder has these files", () => {
  expect(readdirSync(FOLDER).sort()).toEqual([
    "kubernetes-job.yaml",
    "parallel.sh",
    "ray_shards.py",
    "spark_pipe.py",
  ]);
});

test.runIf(has("parallel"))(
  "GNU parallel runs killed shards again (skipped without Debian's parallel)",
  async () => {
    const mail = (to: string): string => message({ From: "a@b.test", To: `${to}@shop.example` });
    const cwd = folderWith({
      "a b.json": ALIAS_DOMAIN,
      "my mail/1.eml": mail("sales"),
      "my mail/2.mbox": `From x\n${mail("void")}\nFrom y\n${mail("none")}\n`,
      "my mail/3.eml": mail("help-me"),
    });
    const one = await mailflow(["replay", "a b.json", "my mail", "--out", "one"], { cwd });
    expect(one.code).toBe(0);
    // The first attempt of shard 2 is killed, in the midst of writing.
    mkdirSync(join(cwd, "bin"));
    const command = await bundledCommand("many-machines");
    const script = `#!/bin/sh
case "$*" in *"--shard 2/4"*) [ -e "${cwd}/killed" ] || { echo x > "${cwd}/killed"; kill -9 $$; } ;; esac
exec "${process.execPath}" "${command}" "$@"
`;
    writeFileSync(join(cwd, "bin/mailflow"), script);
    chmodSync(join(cwd, "bin/mailflow"), 0o755);
    const argv = [join(FOLDER, "parallel.sh"), "4", "the parts", "a b.json", "my mail"];
    const env = { ...process.env, PATH: `${join(cwd, "bin")}:${process.env.PATH}`, HOME: cwd };
    const ran = spawnSync("sh", argv, { cwd, env, encoding: "utf8", input: "" });
    expect([ran.status, ran.stderr]).toMatchObject([0, expect.stringContaining("shard 2/4")]);
    expect(existsSync(join(cwd, "killed"))).toBe(true);
    const merged = readFileSync(join(cwd, "the parts/decisions.ndjson"), "utf8");
    expect(merged).toBe(readFileSync(join(cwd, "one"), "utf8"));
    expect(ran.stdout.split("\n")[0]).toBe(one.stdout.split("\n")[0]);
  },
);

test("the Job of Kubernetes is YAML, and names its shards as `--shard` does", () => {
  const [job, ...rest] = parseAllDocuments(
    readFileSync(join(FOLDER, "kubernetes-job.yaml"), "utf8"),
  ).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
  expect(rest).toEqual([]);
  expect(job).toMatchObject({
    apiVersion: "batch/v1",
    kind: "Job",
    spec: { completionMode: "Indexed" },
  });
  const [container] = job.spec.template.spec.containers;
  expect(container.env).toEqual([{ name: "SHARDS", value: String(job.spec.completions) }]);
  const echoed = container.args[0].replace("exec mailflow", "echo");
  const env = { JOB_COMPLETION_INDEX: "0", SHARDS: "100", PATH: process.env.PATH };
  const { stdout } = spawnSync("sh", ["-c", echoed], { env, encoding: "utf8" });
  expect(stdout).toContain("--shard 1/100 --out /parts/part-1.json");
});

test.runIf(has("python3")).each(["spark_pipe.py", "ray_shards.py"])(
  "%s compiles (skipped without python3)",
  (name) => {
    const check = "import ast,sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])";
    const { status, stderr } = spawnSync("python3", ["-c", check, join(FOLDER, name)], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
);

test("what Spark pipes numbers to runs a shard for each", () => {
  const text = readFileSync(join(FOLDER, "spark_pipe.py"), "utf8");
  const script = /^READ = '(.*)'$/m.exec(text)![1]!.replace("mailflow", "echo");
  const env = { SHARDS: "9", PARTS: "/p", PATH: process.env.PATH };
  const argv = ["-c", script, "sh", "d.json", "my mail"];
  const { stdout, status } = spawnSync("sh", argv, { env, encoding: "utf8", input: "4\n7\n" });
  expect([status, stdout]).toEqual([
    0,
    ["4", "7"]
      .map((n) => `replay d.json my mail --shard ${n}/9 --out /p/part-${n}.json --workers 0\n`)
      .join(""),
  ]);
});
