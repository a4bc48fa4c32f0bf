/**
 * Entry point `mailflow/simulator`: the whole email forwarding service, simulated in this process.
 * @module simulator
 */
export type { Control, FaultInput } from "./control/control.ts";
export type { DryRun, DryRunQuestion, Proposal } from "./control/dry-run.ts";
export type { WatchedEvent, WatchedLog } from "./control/event-feed.ts";
export type { ArrivedMessage, MessageFilter, MessageSummary } from "./control/inbox/inbox.ts";
export type { KeptRequest } from "./control/request-log.ts";
export type { SimulatorSnapshot } from "./control/snapshot.ts";
export {
  createSimulator,
  type IncomingMessage,
  type Simulator,
  type SimulatorClock,
} from "./create-simulator.ts";
export type { Listening, ListenOptions } from "./listen.ts";
export { migrateStore, type RowCounts, StoreNotEmptyError } from "./migrate-store.ts";
export type { ZoneEntry } from "./model/domains/dns-zone.ts";
export { ServiceProblem } from "./model/problem.ts";
export type { World, WorldAccount, WorldDomain } from "./model/seed/world.ts";
export { createJournal, type Journal, type JournalOptions } from "./operations/journal.ts";
export type { Hostnames, PlanName, SimulatorOptions, StoreOption } from "./options.ts";
export type { FaultRow, FaultStage } from "./outbound/faults.ts";
export type { RecipientAnswer } from "./receive/receive.ts";
export { DirectoryInUseError } from "./store/sql/database/lock-directory.ts";
export type { StorePlace } from "./store/sql/open-sql-store.ts";
export { StoreUnavailableError } from "./store/store.ts";
