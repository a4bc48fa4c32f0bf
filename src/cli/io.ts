/** What the command touches of the world outside, so that tests can run it in their own process. */

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
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Ends what would go on for ever; without one only a signal does. */
  readonly end?: AbortSignal;
}

/** Exit codes, the same for every command. */
export const EXIT = {
  ok: 0,
  /** `check` found errors, a test failed, or `diff` found changes. */
  errorsFound: 1,
  /** Wrong use, an unreadable file, a domain that does not compile, or nothing to route. */
  unusable: 2,
  /** `serve` was told to end twice (128 + SIGINT). */
  interrupted: 130,
  /** A fault of the command itself (`EX_SOFTWARE` of sysexits). */
  defect: 70,
} as const;
