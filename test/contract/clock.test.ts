/** The simulated clock under its contract. */
import { createSimulatedClock } from "../../src/queue/simulated-clock.ts";
import { clockContract } from "./clock.ts";

clockContract(
  "simulated",
  (setup) => createSimulatedClock({ ...setup, realNowMs: () => Date.now() }),
  400,
);
