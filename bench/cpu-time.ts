/** Processor time: what others do on the same machine does not count, nor does waiting. */
import { readdirSync, readFileSync } from "node:fs";

/** Nanoseconds that this process has taken on all its threads. */
export function ownCpuNs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** The same of another process and its children; those that have ended do not count. Linux alone. */
export function cpuNsOf(pid: number): number {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8");
    for (const child of children.split(" ").filter((text) => text !== "")) {
      ns += cpuNsOf(Number(child));
    }
  }
  return ns;
}
