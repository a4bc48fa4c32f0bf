/** Loads packages that not every machine has. */
import { type Absent, absent } from "./bench.ts";

/** The package, or why it is not there. */
export async function loadRival<T>(load: () => Promise<T>): Promise<T | Absent> {
  try {
    return await load();
  } catch (error) {
    return absent(error instanceof Error ? error.message.split("\n")[0]! : String(error));
  }
}
