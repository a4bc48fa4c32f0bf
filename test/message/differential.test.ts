/**
 * Every message of the dataset against mailparser, field by field. Where the two disagree, a class says who is right and
 * why, and the message is in the kept list; a disagreement that is new, or of no class, fails. After a change that is
 * meant, run this file with KEEP_DISAGREEMENTS=1 and say in the commit what changed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AddressObject, type EmailAddress, type ParsedMail, simpleParser } from "mailparser";
import { expect, test } from "vitest";
import { parseMailboxes } from "../../src/message/header/address-list.ts";
import { type WholeMessage, wholeMessage } from "../../src/message/index.ts";
import { DATASET, DATASET_MESSAGES, datasetFiles } from "../dataset/dataset.ts";
import { CLASSES, type Compared } from "./disagreements.ts";

const KEPT_FILE = fileURLToPath(new URL("disagreements.json", import.meta.url));
const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
} as const;

function addressesOf(field: AddressObject | AddressObject[] | undefined): string[] {
  const flat = (found: readonly EmailAddress[]): string[] =>
    found.flatMap(({ address, group }) => (group ? flat(group) : address ? [address] : []));
  const objects = field === undefined ? [] : Array.isArray(field) ? field : [field];
  return objects.flatMap(({ value }) => flat(value)).map((address) => address.toLowerCase());
}

function mailboxesIn(ours: WholeMessage, name: string): string {
  return (ours.headers.get(name) ?? []).flatMap((value) => parseMailboxes(value)).join("\n");
}

/** Each field as text, ours and theirs. */
function fieldsOf(
  ours: WholeMessage,
  theirs: ParsedMail,
): Record<string, readonly [string, string]> {
  const names = (attachments: readonly { filename?: string | undefined }[]): string =>
    attachments.map(({ filename }) => filename ?? "").join("\n");
  const sizes = (attachments: readonly { size: number }[]): string =>
    attachments.map(({ size }) => size).join("\n");
  return {
    subject: [ours.subject, theirs.subject ?? ""],
    from: [ours.from ?? "", addressesOf(theirs.from)[0] ?? ""],
    to: [mailboxesIn(ours, "to"), addressesOf(theirs.to).join("\n")],
    cc: [mailboxesIn(ours, "cc"), addressesOf(theirs.cc).join("\n")],
    text: [ours.text, theirs.text ?? ""],
    html: [ours.html, theirs.html || ""],
    "attachment names": [names(ours.attachments), names(theirs.attachments)],
    "attachment sizes": [sizes(ours.attachments), sizes(theirs.attachments)],
  };
}

test("6,046 messages: what is read otherwise than by mailparser is known, and judged", async () => {
  const found: Record<string, string[]> = {};
  const unclassed: string[] = [];
  const files = datasetFiles();
  expect(files).toHaveLength(DATASET_MESSAGES);
  for (const file of files) {
    const bytes = readFileSync(join(DATASET, file));
    const source = bytes.toString("latin1");
    const fields = fieldsOf(await wholeMessage(bytes), await simpleParser(bytes, OPTIONS));
    for (const [field, [ours, theirs]] of Object.entries(fields)) {
      if (ours === theirs) continue;
      const compared: Compared = { field, ours, theirs, source };
      const matching = CLASSES.find((each) => each.fits(compared));
      // `easy-ham-1/00012`, which tells the message.
      const name = `${file.slice(0, file.indexOf(".", file.indexOf("/")))} ${field}`;
      if (matching === undefined)
        unclassed.push(`${name}: ${JSON.stringify([ours, theirs]).slice(0, 400)}`);
      else found[matching.name] = [...(found[matching.name] ?? []), name];
    }
  }
  expect(unclassed).toEqual([]);
  const list = Object.fromEntries(
    CLASSES.map(({ name, right, why }) => [name, { right, why, messages: found[name] ?? [] }]),
  );
  if (process.env.KEEP_DISAGREEMENTS === "1") {
    writeFileSync(KEPT_FILE, `${JSON.stringify(list, null, 1)}\n`);
  }
  const kept: typeof list = JSON.parse(readFileSync(KEPT_FILE, "utf8"));
  expect(list).toEqual(kept);
  for (const [name, { messages }] of Object.entries(kept)) expect(messages, name).not.toEqual([]);
});
