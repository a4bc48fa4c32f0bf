/** The parts of the service that outgoing deliveries use: its time and its tables, not its operations. */
import type { Service } from "../model/service.ts";

export type Outside = Pick<Service, "store" | "clock" | "ids" | "notify" | "settings">;
