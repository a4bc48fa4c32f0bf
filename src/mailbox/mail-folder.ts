/** Walks through folders of mail in the order of names: what to read, and why the rest is not read. */
import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import type { FileOrigin } from "./file-kind.ts";
import { type NotMail, skipped, unreadable, unreadableBecause } from "./not-mail.ts";
import { fsPath, nameOfBytes } from "./path-bytes.ts";

/** A file that may have mail, or a pipe or device that the caller named. */
export interface WalkedFile {
  readonly path: string;
  readonly name: string;
  readonly stats: Stats;
  readonly standing: FileOrigin;
}

/** Leaves out entries of a folder that the caller writes itself. */
export interface LeftOut {
  without<T extends { readonly name: string }>(folder: string, entries: readonly T[]): readonly T[];
}

/** Names of files that mail programs keep next to their messages. */
const INDEX =
  /^(?:dovecot.*|maildir(?:folder|size|cache|shared.*)|courierimap.*|subscriptions|shared-(?:folders|maildirs)|cur\.index|new\.index|table_of_contents|Info\.plist|msgFilterRules\.dat|filterlog\.html|popstate\.dat|virtualFolders\.dat|folders\.cmeta)$|\.(?:msf|plist|cmeta|ev-summary(?:-meta)?|ibex\.index(?:\.data)?|index(?:\.ids|\.sorted)?|lock|toc|mbx~|idx)$/i;

/** What the names in a folder say about its kind. */
interface FolderKind {
  readonly isMaildir: boolean;
  readonly isMh: boolean;
}

function kindOf(names: ReadonlySet<string>): FolderKind {
  const isMaildir = names.has("cur") && (names.has("new") || names.has("tmp"));
  const isMh =
    names.has(".mh_sequences") ||
    names.has(".xmhcache") ||
    [...names].some((name) => /^[1-9]\d*$/.test(name));
  return { isMaildir, isMh };
}

const MESSAGE_NAME = /\.(?:eml|emlx)$/i;

function reasonToSkip(
  name: string,
  entryName: string,
  stats: Stats,
  { isMaildir, isMh }: FolderKind,
): NotMail | null {
  if (stats.isDirectory()) {
    const isSubfolder = isMaildir && name !== "." && name !== "..";
    if (name.startsWith(".") && !isSubfolder)
      return skipped(entryName, "hidden", "a hidden folder");
    return null;
  }
  if (!stats.isFile()) {
    return skipped(entryName, "pipe", "a pipe, socket or device: name it to read it");
  }
  if (name.startsWith(".")) return skipped(entryName, "hidden", "a hidden file");
  if (isMaildir || INDEX.test(name)) {
    return skipped(entryName, "index", "kept by a mail program beside its messages");
  }
  if (isMh && /^[,#]\d+$/.test(name))
    return skipped(entryName, "deleted", "deleted, not removed yet");
  return null;
}

function statOf(path: string): Stats | "dangling" | null {
  const found = statSync(fsPath(path), { throwIfNoEntry: false });
  if (found !== undefined) return found;
  return lstatSync(fsPath(path), { throwIfNoEntry: false }) === undefined ? null : "dangling";
}

/** The names in a folder, in the order of their octets. */
function namesIn(folder: string): { readonly name: string }[] {
  const names = readdirSync(fsPath(folder), { encoding: "latin1" }).sort();
  return names.map((name) => ({ name: nameOfBytes(Buffer.from(name, "latin1")) }));
}

class Walk {
  readonly #leftOut: LeftOut | undefined;
  /** Folders already read, by device and inode: links may lead to them again. */
  readonly #seen = new Set<string>();

  constructor(leftOut: LeftOut | undefined) {
    this.#leftOut = leftOut;
  }

  /** `standing`: that of the folder's files, from the kind of the folder. */
  *folder(
    path: string,
    name: string,
    stats: Stats,
    standing: FileOrigin,
  ): Generator<WalkedFile | NotMail> {
    const id = `${stats.dev}:${stats.ino}`;
    if (this.#seen.has(id)) {
      yield skipped(name, "linked folder", "a link to a folder that has been read already");
      return;
    }
    this.#seen.add(id);
    let entries: readonly { readonly name: string }[];
    try {
      entries = namesIn(path);
    } catch (error) {
      yield unreadableBecause(name, error);
      return;
    }
    const kind = kindOf(new Set(entries.map((entry) => entry.name)));
    for (const entry of this.#leftOut?.without(path, entries) ?? entries) {
      yield* this.#entry(
        `${path}/${entry.name}`,
        `${name}/${entry.name}`,
        entry.name,
        kind,
        standing,
      );
    }
  }

  *#entry(
    path: string,
    name: string,
    own: string,
    kind: FolderKind,
    standing: FileOrigin,
  ): Generator<WalkedFile | NotMail> {
    try {
      const stats = statOf(path);
      if (stats === null) return;
      if (stats === "dangling") {
        yield unreadable(name, "dangling link", "a link to nothing");
        return;
      }
      const reason = reasonToSkip(own, name, stats, kind);
      if (reason !== null) yield reason;
      else if (!stats.isDirectory()) {
        const isMessage =
          standing === "given" || MESSAGE_NAME.test(own) || (kind.isMh && /^\d+$/.test(own));
        yield { path, name, stats, standing: isMessage ? "given" : "found" };
      } else if (kind.isMaildir && own === "tmp") {
        yield* this.#unfinished(path, name);
      } else {
        const isMessages = kind.isMaildir && (own === "cur" || own === "new");
        yield* this.folder(path, name, stats, isMessages ? "given" : "found");
      }
    } catch (error) {
      yield unreadableBecause(name, error);
    }
  }

  /** The files of a Maildir's `tmp`, which are still being delivered. */
  *#unfinished(path: string, name: string): Generator<NotMail> {
    for (const entry of namesIn(path)) {
      yield skipped(
        `${name}/${entry.name}`,
        "unfinished",
        "being delivered, or left half delivered",
      );
    }
  }
}

/** All files at a path, or below it if it is a folder, in the order of their names. Throws if nothing is there. */
export function* walkMail(
  path: string,
  name: string,
  leftOut?: LeftOut,
): Generator<WalkedFile | NotMail> {
  const stats = statSync(fsPath(path));
  if (!stats.isDirectory()) {
    yield { path, name, stats, standing: "given" };
    return;
  }
  const title = name.replace(/(?<=.)[/\\]+$/, "");
  yield* new Walk(leftOut).folder(path.replace(/(?<=.)\/+$/, ""), title, stats, "found");
}
