/** One hostile case in a process of its own: what the first message costs, as a server meets it, and what is kept. */
import { readFileSync, writeFileSync } from "node:fs";
import { LIMITS } from "../../src/base/limits.ts";
import type { Facts } from "../../src/engine/facts/facts.ts";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { createResolveStats } from "../../src/engine/routing/resolve-stats.ts";
import { compileAlone } from "../compilers.ts";
import { ownCpuNs } from "../cpu-time.ts";
import { HOSTILE_CASES } from "./cases.ts";

export interface HostileCost {
  /** How the message was decided, or the error that ended it. */
  readonly outcome: string;
  readonly cpuMs: number;
  /** Units that the message paid. */
  readonly units: number;
  /** Growth of the process at its largest, and of what it keeps once the message is let go. */
  readonly peakMb: number;
  readonly keptMb: number;
}

function heldBytes(): number {
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A field of `/proc/self/status`, in bytes. */
function memoryBytes(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(status)?.[1] ?? 0) * 1_024;
}

/** Forgets how large the process was before; Linux alone. */
function resetPeak(): void {
  writeFileSync("/proc/self/clear_refs", "5");
}

/** A small domain and message first: loading the engine is not what the message costs. */
function warmUp(): void {
  const { config, facts } = HOSTILE_CASES[0]!.make(0.001);
  resolve(compileAlone(config), facts);
}

interface Measured {
  readonly outcome: string;
  readonly units: number;
}

/** What `work` costs, and what is left of it once it is let go. */
function measured(work: () => Measured): HostileCost {
  const held = heldBytes();
  resetPeak();
  const before = memoryBytes("VmRSS");
  const begun = ownCpuNs();
  const { outcome, units } = work();
  const cpuMs = (ownCpuNs() - begun) / 1e6;
  const peakMb = (memoryBytes("VmHWM") - before) / 1e6;
  return { outcome, cpuMs, units, peakMb, keptMb: (heldBytes() - held) / 1e6 };
}

/** How the message was decided, and the units that it took. */
function decided(domain: CompiledDomain, facts: Facts): Measured {
  const stats = createResolveStats();
  try {
    const resolution = resolve(domain, facts, { stats });
    const outcome =
      resolution.verdict === "decided"
        ? (resolution.decidedBy?.id ?? resolution.reason)
        : "undecided";
    return { outcome, units: stats.fuel };
  } catch (error) {
    const outcome = `threw ${error instanceof Error ? error.message : String(error)}`;
    return { outcome, units: stats.fuel };
  }
}

/** `size`: 1 for the whole case. */
export function runCase(name: string, size: number): HostileCost {
  const { make, measures } = HOSTILE_CASES.find((each) => `${each.path}: ${each.name}` === name)!;
  warmUp();
  const { config, facts } = make(size);
  if (measures === "domain") {
    // Kept while it is measured what is held.
    const kept: CompiledDomain[] = [];
    const cost = measured(() => {
      const compiled = compileDomain(config);
      if (!compiled.ok) {
        return { outcome: `refused: ${compiled.diagnostics[0]!.message}`, units: 0 };
      }
      kept.push(compiled.domain);
      const { outcome, units } = decided(compiled.domain, facts);
      return { outcome, units: units + size * LIMITS.domainFuelMax };
    });
    return kept.length === 0 ? { ...cost, units: 0 } : cost;
  }
  // A host that raises the budget of a domain relies on that of a message.
  const domain = compileAlone(config, { domainFuelMax: Number.POSITIVE_INFINITY });
  // The plan of a domain is made with its first message, whatever that is.
  resolve(domain, { ...facts, subject: "", body: "" });
  return measured(() => decided(domain, facts));
}

if (process.send !== undefined && process.argv[2] === "--hostile") {
  process.send(runCase(process.argv[3]!, Number(process.argv[4])));
  process.disconnect();
}
