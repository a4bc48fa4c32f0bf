/** Waits until one of some files changes. */
import { type FSWatcher, watch } from "node:fs";
import { dirname, resolve } from "node:path";

/** Milliseconds in which changes count as one: editors write a file in several steps. */
const SETTLE_MS = 50;

/**
 * Resolves with `"changed"` some moments after something changed in the folder of one of the files, or with `"ended"`
 * when `end` is aborted. Folders are watched, because editors replace files.
 */
export function nextChange(
  files: readonly string[],
  cwd: string,
  end: AbortSignal | undefined,
): Promise<"changed" | "ended"> {
  const folders = new Set(files.map((file) => dirname(resolve(cwd, file))));
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
    for (const folder of folders) {
      const watcher = watch(folder, () => {
        if (!isSettling) setTimeout(() => settle("changed"), SETTLE_MS);
        isSettling = true;
      });
      // A folder that is removed is a change like others.
      watcher.on("error", () => settle("changed"));
      watchers.push(watcher);
    }
  });
}
