/** Waits until one of some files changes. */
import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";

/** Milliseconds during which changes count as one: editors write a file in several steps. */
const SETTLE_MS = 50;

/** The folder of a file, or the folder itself; if it is missing, the nearest existing folder above. */
function watchedFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function changedSince(file: string, since: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Math.max(found.mtimeMs, found.ctimeMs) > since;
}

/**
 * Resolves with `"changed"` shortly after something changed in the folder of one of the files, or at once if one of
 * them has changed after `since` (milliseconds since the epoch); or with `"ended"` when `end` is aborted. Folders are
 * watched, because editors replace files.
 */
export function nextChange(
  files: readonly string[],
  cwd: string,
  since: number,
  end: AbortSignal | undefined,
): Promise<"changed" | "ended"> {
  const paths = files.map((file) => resolve(cwd, file));
  return new Promise((done) => {
    const watchers: FSWatcher[] = [];
    const settle = (outcome: "changed" | "ended"): void => {
      for (const watcher of watchers) watcher.close();
      end?.removeEventListener("abort", onEnd);
      done(outcome);
    };
    const onEnd = (): void => settle("ended");
    if (end?.aborted) return settle("ended");
    end?.addEventListener("abort", onEnd);
    let isSettling = false;
    const onChange = (): void => {
      if (!isSettling) setTimeout(() => settle("changed"), SETTLE_MS);
      isSettling = true;
    };
    for (const folder of new Set(paths.map(watchedFolder))) {
      try {
        const watcher = watch(folder, onChange);
        // Removing the folder counts as a change.
        watcher.on("error", onChange);
        watchers.push(watcher);
      } catch {
        // It was removed after it was found.
        onChange();
      }
    }
    if (paths.some((path) => changedSince(path, since))) onChange();
  });
}
