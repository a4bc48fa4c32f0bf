/** Entry point `mailflow/simulator`: the whole email forwarding service, simulated in this process. */
export type { Control, FaultInput } from "../control/control.ts";
export type { DryRun, DryRunQuestion, Proposal } from "../control/dry-run.ts";
export type { WatchedEvent, WatchedLog } from "../control/event-feed.ts";
export type { ArrivedMessage, MessageFilter } from "../control/inbox.ts";
export type { KeptRequest } from "../control/request-log.ts";
export type { SimulatorSnapshot } from "../control/snapshot.ts";
export type { FaultRow, FaultStage } from "../outbound/faults.ts";
export type { ZoneEntry } from "../service/dns-zone.ts";
export { ServiceProblem } from "../service/problem.ts";
export type { RecipientAnswer } from "../service/receive.ts";
export type { World, WorldAccount, WorldDomain } from "../service/world.ts";
export {
  createSimulator,
  type IncomingMessage,
  type Simulator,
  type SimulatorClock,
} from "./create-simulator.ts";
export type { Listening, ListenOptions } from "./listen.ts";
export type { SimulatorOptions } from "./options.ts";
export type { PlanName } from "./plans.ts";
