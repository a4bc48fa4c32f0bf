/**
 * 6,046 real messages: each gives facts, and the facts are the ones that were kept. After a change that is meant,
 * run this file with KEEP_SPAM_ASSASSIN=1 and say in the commit why the facts changed.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { headerFacts, messageFacts } from "../../src/message/index.ts";
import { DATASET, DATASET_MESSAGES, datasetFiles } from "../dataset/dataset.ts";

const KEPT_FILE = fileURLToPath(new URL("spam-assassin.json", import.meta.url));
interface Summary {
  messages: number;
  withFrom: number;
  withBody: number;
  attachments: number;
  problems: Record<string, number>;
  sha256: string;
}

async function summarize(files: readonly string[]): Promise<Summary> {
  const hash = createHash("sha256");
  const summary: Summary = {
    messages: files.length,
    withFrom: 0,
    withBody: 0,
    attachments: 0,
    problems: {},
    sha256: "",
  };
  for (const file of files) {
    const bytes = readFileSync(join(DATASET, file));
    const facts = await messageFacts(bytes);
    const { from, subject, headers } = await headerFacts(bytes);
    expect([facts.from, facts.subject, facts.headers], file).toEqual([from, subject, headers]);
    hash.update(JSON.stringify([file, { ...facts, headers: [...facts.headers] }]));
    if (from !== null) summary.withFrom++;
    if (facts.body !== "") summary.withBody++;
    summary.attachments += facts.attachments.length;
    for (const { code } of facts.problems) {
      summary.problems[code] = (summary.problems[code] ?? 0) + 1;
    }
  }
  return { ...summary, sha256: hash.digest("hex") };
}

test("6,046 messages give the facts that were kept", async () => {
  const files = datasetFiles();
  expect(files).toHaveLength(DATASET_MESSAGES);
  const summary = await summarize(files);
  if (process.env.KEEP_SPAM_ASSASSIN === "1") {
    writeFileSync(KEPT_FILE, `${JSON.stringify(summary, null, 2)}\n`);
  }
  expect(summary).toEqual(JSON.parse(readFileSync(KEPT_FILE, "utf8")));
});
