/** The presenter of the command line: which renderer of a record is called, and where its text goes. */
import { expect, test } from "vitest";
import { type CommandReport, formatOf, note, present, type Reports } from "../../src/cli/report.ts";

/** What is written when the reports are presented as the options ask. */
async function presented(reports: readonly CommandReport[], options: Record<string, string> = {}) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTerminal: false,
    write: async (text: string) => {
      written[name] += text;
    },
  });
  async function* run(): Reports {
    yield* reports;
    return 3;
  }
  const given = new Map(Object.entries(options).map(([name, value]) => [name, [value]]));
  const code = await present(run(), formatOf(given), {
    stdin: (async function* () {})(),
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: {},
    cwd: "/",
  });
  return { code, ...written };
}

const ALL: CommandReport = {
  text: () => [["a line"]],
  json: () => ({ a: 1 }),
  markdown: () => "# a\n",
  tap: () => "ok 1\n",
  junit: () => "<a/>\n",
};

test.each([
  [{}, "a line\n"],
  [{ reporter: "pretty" }, "a line\n"],
  [{ json: "" }, '{"a":1}\n'],
  [{ json: "", markdown: "" }, '{"a":1}\n'],
  [{ markdown: "" }, "# a\n"],
  [{ reporter: "json" }, '{"a":1}\n'],
  [{ reporter: "tap" }, "ok 1\n"],
  [{ reporter: "junit" }, "<a/>\n"],
])("%j", async (options, stdout) => {
  expect(await presented([ALL], options)).toEqual({ code: 3, stdout, stderr: "" });
});

test("only the renderer that is asked for is called", async () => {
  const refused = () => {
    throw new Error("called");
  };
  const report = { ...ALL, text: refused, markdown: refused, tap: refused, junit: refused };
  expect((await presented([report], { json: "" })).stdout).toBe('{"a":1}\n');
});

test("a record without the renderer is left out, a note is written in every format", async () => {
  const reports = [{ text: () => [["for people"]] }, note(["hint"]), { json: () => [1] }];
  expect(await presented(reports, { json: "" })).toMatchObject({
    stdout: "[1]\n",
    stderr: "hint\n",
  });
  expect(await presented(reports)).toMatchObject({ stdout: "for people\n", stderr: "hint\n" });
});

test("a record may go to standard error, and text may be written as it is", async () => {
  const reports: CommandReport[] = [{ ...ALL, to: "stderr" }, { text: () => "\u0007as it is" }];
  expect(await presented(reports)).toMatchObject({ stdout: "\u0007as it is", stderr: "a line\n" });
});
