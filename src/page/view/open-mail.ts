/** Opens files that were chosen, dropped or pasted: messages, mailboxes, and domain files. */
import { readMailFile } from "../model/mail.ts";
import { addMails, draft, notice, openDomain } from "../state.ts";

/** Octets of one opened file. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

async function openFile(file: File): Promise<void> {
  if (file.size > FILE_BYTES_MAX) {
    throw new Error(`${file.name} has more than 512 MB: replay it with \`mailflow replay\``);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith(".json")) return openDomain(JSON.parse(new TextDecoder().decode(bytes)));
  addMails(readMailFile(bytes, file.name, draft.value.domain));
}

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
