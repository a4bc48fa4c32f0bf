/** Opens chosen, dropped or pasted files: messages, mailboxes and domain files. */
import { type Mail, readMailFile } from "../model/mail.ts";
import { addMails, draft, notice, openDomain } from "../state.ts";

/** Most octets of one opened file. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

/** Milliseconds of reading without a pause: less than a frame. */
const SLICE_MS = 10;
/** Messages added at a time: each addition copies the list. */
const ADDED_AT_ONCE = 500;

/** Adds messages while the rest is still being read, and shows the first one. */
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

/** The clipboard's files, or its text as a file: a message or a domain. */
export function pastedFiles(pasted: DataTransfer | null): readonly File[] {
  const files = [...(pasted?.files ?? [])];
  const text = pasted?.getData("text/plain") ?? "";
  if (files.length > 0 || text.trim() === "") return files;
  const name = text.trimStart().startsWith("{") ? "pasted.json" : "pasted.eml";
  return [new File([text], name)];
}

/** Opens what it can, and reports the rest. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const problems: string[] = [];
  const adding = new Adding();
  // The domain first: its name decides which recipients of the messages count.
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
