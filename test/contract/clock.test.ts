/** The simulated clock under its contract. */
import { createSimulatedClock } from "../../src/simulator/queue/simulated-clock.ts";
import { clockContract } from "./clock.ts";

clockContract(
  "simulated",
  (setup) => createSimulatedClock({ ...setup, realNowMs: () => Date.now() }),
  400,
);
