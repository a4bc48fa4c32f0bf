/** `mailflow migrate`: updates a store to the layout of this version, and copies one store into another. */
import { resolve } from "node:path";
import type { StorePlace } from "../../simulator/store/sql/open-sql-store.ts";
import { type Command, type Given, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import type { Reports } from "../report.ts";

/** A directory, or the URL of a PostgreSQL database. */
export function readPlace(text: string, { cwd }: CliIo): StorePlace {
  if (/^postgres(?:ql)?:\/\/./.test(text)) return { kind: "postgres", url: text };
  return { kind: "pglite", directory: resolve(cwd, text) };
}

async function* runMigrate(given: Given, io: CliIo): Reports {
  const [to, from] = [optionOf(given, "store"), optionOf(given, "from")];
  if (to === undefined)
    throw new UsageError("`--store` is missing: give a directory or `postgres://…`");
  const { DirectoryInUseError, migrateStore, StoreNotEmptyError, StoreUnavailableError } =
    await import("../../simulator/index.ts");
  try {
    const source = from === undefined ? undefined : readPlace(from, io);
    const counts = await migrateStore(readPlace(to, io), source);
    yield { text: () => [...counts].map(([name, count]) => [`${name.padEnd(12)} ${count}`]) };
    return EXIT.ok;
  } catch (error) {
    const known = [DirectoryInUseError, StoreNotEmptyError, StoreUnavailableError];
    if (known.some((kind) => error instanceof kind)) throw new UsageError((error as Error).message);
    throw error;
  }
}

export const migrateCommand: Command = {
  name: "migrate",
  summary: "updates a store to the layout of this version, or copies one into another",
  arguments: [],
  options: [
    {
      name: "store",
      value: "place",
      description: "the directory of `serve --data`, or the `postgres://…` of `serve --store`",
    },
    {
      name: "from",
      value: "place",
      description: "copy everything from this store; the other one must be empty",
    },
  ],
  notes: [
    "",
    "Prints the number of rows in each table. No `serve` may use the stores during this.",
    "Exit code: 0 done, 2 wrong use, or a store that is in use, is not empty or cannot be reached.",
  ],
  examples: [
    "mailflow migrate --store postgres://localhost/mailflow",
    "mailflow migrate --from ./data --store postgres://localhost/mailflow",
  ],
  run: runMigrate,
};
