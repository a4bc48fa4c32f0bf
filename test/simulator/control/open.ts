/** What the control plane's tests start from. */
import { afterEach } from "vitest";
import {
  createSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/simulator/index.ts";
import { mail, WORLD } from "../client.ts";

const opened: Simulator[] = [];
afterEach(async () => {
  for (const simulator of opened.splice(0)) await simulator.close();
});

/** Closed after the test. */
export async function open(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await createSimulator({ world: WORLD, ...options });
  opened.push(simulator);
  return simulator;
}

/** The log ids of a message to these recipients. */
export async function receive(
  simulator: Simulator,
  recipients: readonly string[],
  subject: string = "Hello",
): Promise<readonly string[]> {
  const envelope = { sender: "ann@source.test", recipients };
  const answers = await simulator.receive({ envelope, message: mail(subject) });
  return answers.flatMap(({ logIds }) => logIds);
}
