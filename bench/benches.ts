/** All benches, by name. */
import type { Bench } from "./bench.ts";
import { rulesBench } from "./rules.bench.ts";

export const BENCHES: readonly Bench[] = [rulesBench];
