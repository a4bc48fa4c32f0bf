/** The SQL store under the contract of stores: on PGlite, and on PostgreSQL where there is one. */
import { afterAll, describe } from "vitest";
import { hasPostgres, openPostgresStore, pgliteStores } from "./databases.ts";
import { storeContract } from "./store.ts";
import { pagesContract } from "./store-restores.ts";

describe("PGlite", () => {
  const stores = pgliteStores();
  afterAll(() => stores.close());
  storeContract("PGlite", () => stores.open(), 40);
  pagesContract(() => stores.open());
});

describe.skipIf(!hasPostgres)("PostgreSQL", () => {
  storeContract("PostgreSQL", openPostgresStore, 60);
  pagesContract(openPostgresStore);
});
