/** Opens the store of a simulator, and finds out whether it already has a state. */
import type { Settings } from "./options.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import type { Installation } from "./store/sql/installation.ts";
import { type OpenedStore, openSqlStore } from "./store/sql/open-sql-store.ts";
import type { Store } from "./store/store.ts";

export interface OpenedState {
  readonly store: Store;
  readonly installation: Installation;
  /** Records that the initial world is in place. */
  seeded(): Promise<void>;
  /** A store that outlives this process; several processes may use a `postgres` one at the same time. */
  readonly durable?: OpenedStore & { readonly kind: "pglite" | "postgres" };
}

function memoryState({ seed, apiKey }: Settings): OpenedState {
  const installation = { seed, apiKey, epoch: 0, state: "new" } as const;
  return { store: createMemoryStore(), installation, seeded: async () => {} };
}

const SEED_SECONDS = 30;

/** An existing state keeps its seed, and its API key unless the user gave one. */
export async function openState(settings: Settings): Promise<OpenedState> {
  const { store: place } = settings;
  if (place.kind === "memory") return memoryState(settings);
  const opened = await openSqlStore(place);
  const { store, database, namespace } = opened;
  const { recordSeeded, readInstallation } = await import("./store/sql/installation.ts");
  try {
    const seedSeconds = place.kind === "postgres" ? SEED_SECONDS : 0;
    const installation = await readInstallation(database, namespace, { ...settings, seedSeconds });
    return {
      store,
      installation,
      seeded: () => recordSeeded(database, namespace),
      durable: { ...opened, kind: place.kind },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
