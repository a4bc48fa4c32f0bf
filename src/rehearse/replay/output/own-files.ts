/** The files that a replay writes. None may be a source, and those in a source folder are not read as mail. */
import { type Stats, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { fsPath } from "../../../mailbox/path-bytes.ts";
import type { MailPlace, NamedFile } from "../mail-place.ts";
import { ReplayError } from "../replay-error.ts";
import { partialOf } from "./decision-file.ts";

function idOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(async () => {
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    return join(folder, basename(path));
  });
}

/** Refuses an output that is a source, or that is an existing file in a source folder and not the run's own. */
export async function refuseSources(
  places: readonly MailPlace[],
  outputs: readonly NamedFile[],
  isOwn: (output: NamedFile) => boolean,
): Promise<void> {
  for (const output of outputs.flatMap((each) => [each, partialOf(each)])) {
    const found = await stat(output.path).catch(() => null);
    if (found === null) continue;
    for (const place of places) {
      if (!("path" in place)) continue;
      const source = await stat(place.path).catch(() => null);
      if (source === null) continue;
      const isSource = idOf(source) === idOf(found);
      if (!isSource && !(source.isDirectory() && found.isFile() && !isOwn(output))) continue;
      const folder = `${await realPath(place.path)}${sep}`;
      if (!isSource && !(await realPath(output.path)).startsWith(folder)) continue;
      const said = `\`${output.name}\` is one of the sources: name another file, it would be overwritten`;
      throw new ReplayError("refused", said);
    }
  }
}

/** Distinguishes the files that a run writes from mail. */
export class OwnFiles {
  readonly #names = new Map<string, string[]>();

  constructor(outputs: readonly NamedFile[]) {
    for (const { path } of outputs) {
      const folder = statSync(dirname(path), { throwIfNoEntry: false });
      if (folder === undefined) continue;
      const id = idOf(folder);
      this.#names.set(id, [...(this.#names.get(id) ?? []), basename(path)]);
    }
  }

  /** The entries of a folder, without those that the run writes. */
  without<T extends { readonly name: string }>(
    folder: string,
    entries: readonly T[],
  ): readonly T[] {
    if (this.#names.size === 0) return entries;
    const found = statSync(fsPath(folder), { throwIfNoEntry: false });
    const own = found === undefined ? undefined : this.#names.get(idOf(found));
    if (own === undefined) return entries;
    const isOwn = (name: string): boolean =>
      own.some((each) => name === each || /^\.(?:partial|new|lock)/.test(rest(name, each)));
    return entries.filter(({ name }) => !isOwn(name));
  }
}

function rest(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : "";
}
