/** What to read of a folder with mail: its files and folders, or what a Maildir keeps its messages in. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "folder" | "file";
}

/** Linked files count; a linked folder does not, so that no circle of links is followed. */
async function isFile(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const linked = await stat(join(folder, entry.name)).catch(() => null);
  return linked?.isFile() === true;
}

/**
 * The entries to read, by name, hidden ones left out. Of a Maildir that is `cur`, `new` and its subfolders, which begin
 * with a dot. Rejects where the folder cannot be read.
 */
export async function folderEntries(folder: string): Promise<readonly FolderEntry[]> {
  const all = await readdir(folder, { withFileTypes: true });
  const folders = new Set(all.filter((entry) => entry.isDirectory()).map(({ name }) => name));
  const isMaildir = folders.has("cur") && folders.has("new");
  const chosen: FolderEntry[] = [];
  for (const entry of all) {
    const { name } = entry;
    const isHidden = name.startsWith(".");
    if (entry.isDirectory()) {
      const isMail = isMaildir ? isHidden || name === "cur" || name === "new" : !isHidden;
      if (isMail) chosen.push({ name, kind: "folder" });
    } else if (!isMaildir && !isHidden && (await isFile(folder, entry))) {
      chosen.push({ name, kind: "file" });
    }
  }
  return chosen.sort((a, b) => (a.name < b.name ? -1 : 1));
}
