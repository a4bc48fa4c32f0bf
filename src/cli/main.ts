#!/usr/bin/env node
/** The `mailflow` executable: connects the command to this process. */
import { systemFailure, systemReason } from "../mailbox/system-failure.ts";
import { EXIT, type Output } from "./io.ts";
import { run } from "./run.ts";

function outputOf(stream: NodeJS.WriteStream, name: string): Output {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of the output has closed it: `mailflow route … | head`.
    if (error.code === "EPIPE") process.exit(0);
    if (systemReason(error) === undefined) throw error;
    console.error(`error: ${systemFailure("write", name, error)}`);
    process.exit(EXIT.errorsFound);
  });
  return {
    isTerminal: stream.isTTY === true,
    write: (text) =>
      new Promise((resolve) => {
        if (stream.write(text)) resolve();
        else stream.once("drain", resolve);
      }),
  };
}

try {
  process.exitCode = await run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: outputOf(process.stdout, "standard output"),
    stderr: outputOf(process.stderr, "standard error"),
    env: process.env,
    cwd: process.cwd(),
  });
} catch (defect) {
  // By default Node exits with 1, which means that `check` found errors.
  console.error("a bug in mailflow, please report it:", defect);
  process.exitCode = EXIT.defect;
}
