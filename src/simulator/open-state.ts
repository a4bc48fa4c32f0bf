/** Opens what a simulator keeps its state in, and learns whether there is a state already. */
import type { Settings } from "./options.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import type { Installation } from "./store/sql/installation.ts";
import { type OpenedStore, openSqlStore } from "./store/sql/open-sql-store.ts";
import type { Store } from "./store/store.ts";

export interface OpenedState {
  readonly store: Store;
  readonly installation: Installation;
  /** The world of the beginning is in place. */
  seeded(): Promise<void>;
  /** A store that outlives this process; others may work on a `postgres` one at the same time. */
  readonly durable?: OpenedStore & { readonly kind: "pglite" | "postgres" };
}

function memoryState({ seed, apiKey }: Settings): OpenedState {
  const installation = { seed, apiKey, epoch: 0, state: "new" } as const;
  return { store: createMemoryStore(), installation, seeded: async () => {} };
}

/** Seed and API key of a state that is there already are kept, unless the user gave a key. */
export async function openState(settings: Settings): Promise<OpenedState> {
  const { store: place } = settings;
  if (place.kind === "memory") return memoryState(settings);
  const opened = await openSqlStore(place);
  const { store, database, namespace } = opened;
  const { noteSeeded, readInstallation } = await import("./store/sql/installation.ts");
  try {
    const installation = await readInstallation(database, namespace, settings);
    return {
      store,
      installation,
      seeded: () => noteSeeded(database, namespace),
      durable: { ...opened, kind: place.kind },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
