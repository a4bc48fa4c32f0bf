/** What commands say: records with a renderer for each format, and the one place that picks the renderer. */

import type { Line } from "../rehearse/words/line.ts";
import type { CliIo } from "./io.ts";
import { jsonLine, writeLines } from "./line.ts";

/** Lines for people, or text to write as it is. */
type Rendering = () => readonly Line[] | string;

/** The renderers of a record. Only the one for the format asked for is called. */
interface Renderers {
  /** For people. */
  readonly text?: Rendering;
  /** A value, written as JSON on one line. */
  readonly json?: () => unknown;
  readonly markdown?: Rendering;
  readonly tap?: Rendering;
  readonly junit?: Rendering;
}

type Format = keyof Renderers;

/** Written to standard output by default. A record without a renderer for the format asked for is left out. */
interface Rendered extends Renderers {
  readonly to?: "stdout" | "stderr";
}

/** For people, on standard error, in every format. */
interface Note {
  readonly note: readonly Line[];
}

export type CommandReport = Rendered | Note;

/** A command yields its reports and returns its exit code; a part of a command may return something else. */
export type Reports<Returned = number> = AsyncGenerator<CommandReport, Returned, void>;

export function note(...lines: readonly Line[]): CommandReport {
  return { note: lines };
}

/** The format that `--json`, `--markdown` or `--reporter` asks for. */
export function formatOf(options: ReadonlyMap<string, readonly string[]>): Format {
  if (options.has("json")) return "json";
  if (options.has("markdown")) return "markdown";
  const reporter = options.get("reporter")?.[0] ?? "pretty";
  return reporter === "pretty" ? "text" : (reporter as Format);
}

async function write(report: CommandReport, format: Format, io: CliIo): Promise<void> {
  if ("note" in report) return writeLines(io.stderr, io.env, report.note);
  const output = report.to === "stderr" ? io.stderr : io.stdout;
  const rendered = report[format]?.();
  if (rendered === undefined) return;
  if (format === "json") await output.write(`${jsonLine(rendered)}\n`);
  else if (typeof rendered === "string") await output.write(rendered);
  else await writeLines(output, io.env, rendered as readonly Line[]);
}

/** Writes each report before the command makes the next one; resolves to the exit code. */
export async function present(reports: Reports, format: Format, io: CliIo): Promise<number> {
  for (;;) {
    const { done, value } = await reports.next();
    if (done) return value;
    await write(value, format, io);
  }
}
