/** Everything outside that the command uses, so that tests can run it in their own process. */

/** Standard output or standard error. */
export interface Output {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
}

export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths are resolved against. */
  readonly cwd: string;
  /** Ends commands that otherwise run until a signal. */
  readonly end?: AbortSignal;
}

/** Exit codes, the same for every command. */
export const EXIT = {
  ok: 0,
  /** `check` found errors, a test failed, or `diff` found changes. */
  errorsFound: 1,
  /** Wrong use, an unreadable file, a domain that does not compile, or nothing to route. */
  unusable: 2,
  /** A defect of the command itself (`EX_SOFTWARE` of sysexits). */
  defect: 70,
} as const;
