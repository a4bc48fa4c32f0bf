/** Opens files that were chosen, dropped or pasted: messages, mailboxes, and domain files. */
import { type Mail, readMailFile } from "../model/mail.ts";
import { addMails, draft, notice, openDomain } from "../state.ts";

/** Octets of one opened file. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

async function openFile(file: File): Promise<void> {
  if (file.size > FILE_BYTES_MAX) {
    throw new Error(`${file.name} has more than 512 MB: replay it with \`mailflow replay\``);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith(".json")) return openDomain(JSON.parse(new TextDecoder().decode(bytes)));
  await addInSlices(readMailFile(bytes, file.name, draft.value.domain));
}

/** Milliseconds of reading in a row: less than a frame. */
const SLICE_MS = 10;

/** Messages come in as they are read; the page goes on working, and the first one is shown. */
async function addInSlices(work: Iterator<readonly Mail[]>): Promise<void> {
  let read: Mail[] = [];
  for (let first = true; ; ) {
    const end = performance.now() + SLICE_MS;
    let isDone = false;
    while (!isDone && performance.now() < end) {
      const { value, done } = work.next();
      isDone = done === true;
      if (!isDone) read.push(...value);
    }
    const isMuch = read.length >= ADDED_AT_ONCE || isDone || first;
    if (isMuch && read.length > 0) {
      addMails(read, first ? "show" : "keep");
      [read, first] = [[], false];
    }
    if (isDone) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Messages that are added together: each time the list is copied. */
const ADDED_AT_ONCE = 500;

/** What cannot be opened is said, and the rest is opened. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const problems: string[] = [];
  for (const file of files) {
    try {
      await openFile(file);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  notice.value = problems.length === 0 ? null : { kind: "bad", text: problems.join("; ") };
}
