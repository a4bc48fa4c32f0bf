/** Opens files that were chosen, dropped or pasted: messages, mailboxes, and domain files. */
import { type Mail, readMailFile } from "../model/mail.ts";
import { addMails, draft, notice, openDomain } from "../state.ts";

/** Octets of one opened file. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

/** Milliseconds of reading in a row: less than a frame. */
const SLICE_MS = 10;
/** Messages that are added together: each time the list is copied. */
const ADDED_AT_ONCE = 500;

/** Messages come in as they are read; the page goes on working, and the first one is shown. */
class Adding {
  #read: Mail[] = [];
  #isFirst = true;
  #end = performance.now() + SLICE_MS;

  async add(mails: readonly Mail[]): Promise<void> {
    this.#read.push(...mails);
    if (this.#isFirst || this.#read.length >= ADDED_AT_ONCE) this.finish();
    if (performance.now() < this.#end) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#end = performance.now() + SLICE_MS;
  }

  finish(): void {
    if (this.#read.length === 0) return;
    addMails(this.#read, this.#isFirst ? "show" : "keep");
    [this.#read, this.#isFirst] = [[], false];
  }
}

async function openFile(file: File, adding: Adding): Promise<void> {
  if (file.size > FILE_BYTES_MAX) {
    throw new Error(`${file.name} has more than 512 MB: replay it with \`mailflow replay\``);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith(".json")) return openDomain(JSON.parse(new TextDecoder().decode(bytes)));
  for (const mails of readMailFile(bytes, file.name, draft.value.domain)) await adding.add(mails);
}

/** Files of the clipboard, or its text as one: a message, or a domain file. */
export function pastedFiles(pasted: DataTransfer | null): readonly File[] {
  const files = [...(pasted?.files ?? [])];
  const text = pasted?.getData("text/plain") ?? "";
  if (files.length > 0 || text.trim() === "") return files;
  const name = text.trimStart().startsWith("{") ? "pasted.json" : "pasted.eml";
  return [new File([text], name)];
}

/** What cannot be opened is said, and the rest is opened. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const problems: string[] = [];
  const adding = new Adding();
  // A domain first: its name says for whom the messages are.
  const ordered = [...files].sort(
    (one, other) => Number(other.name.endsWith(".json")) - Number(one.name.endsWith(".json")),
  );
  for (const file of ordered) {
    try {
      await openFile(file, adding);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  adding.finish();
  notice.value = problems.length === 0 ? null : { kind: "bad", text: problems.join("; ") };
}
