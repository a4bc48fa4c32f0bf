/** What the ways out are given of the service: they know its time and its tables, not its operations. */
import type { Service } from "../model/service.ts";

export type Outside = Pick<Service, "store" | "clock" | "ids" | "notify" | "settings">;
