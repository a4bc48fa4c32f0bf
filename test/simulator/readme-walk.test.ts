/** The walk through the service that the simulator guide shows does what it says (KEEP_WALK=1 writes its outputs anew). */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createSimulator } from "../../src/simulator/index.ts";
import { readSteps, runStep, type Shell, withoutChance } from "./walk.ts";

const FILE = fileURLToPath(new URL("walk.txt", import.meta.url));

test("every command of the walk writes what stands below it", async () => {
  const steps = readSteps(readFileSync(FILE, "utf8"));
  expect(steps.length).toBeGreaterThan(5);
  const simulator = await createSimulator({ clock: "running", apiKey: "secret" });
  const { url, mxPort } = await simulator.listen();
  const shell: Shell = { url, mxPort, files: new Map() };
  const kept: string[] = [];
  try {
    for (const step of steps) {
      const output = await runStep(shell, step);
      kept.push(output === "" ? step.written : `${step.written}\n${output}`);
      if (process.env.KEEP_WALK === "1") continue;
      expect(withoutChance(output), step.command).toBe(withoutChance(step.output));
    }
  } finally {
    await simulator.close();
  }
  if (process.env.KEEP_WALK === "1") writeFileSync(FILE, `${kept.join("\n")}\n`);
});
