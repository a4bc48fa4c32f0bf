/** The stores that there are, under the contract of stores. */
import { createMemoryStore } from "../../src/simulator/store/memory-store.ts";
import { storeContract } from "./store.ts";

storeContract("memory", async () => createMemoryStore(), 400);
