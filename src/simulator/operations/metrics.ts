/**
 * Metrics for Prometheus: outcomes of messages, time to decide, and waiting deliveries. No label contains a domain or an
 * address.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { createResolveStats, type ResolveStats } from "../../engine/routing/resolve-stats.ts";
import { breakerState, listBreakers } from "../deliver/breakers.ts";
import { DELIVERIES } from "../model/records.ts";
import type { Service, ServiceEvent } from "../model/service.ts";

/** The events that the service reports. */
export interface Metrics {
  /** Every decision adds to these counters. */
  readonly stats: ResolveStats;
  /** `stage`: how far the message had to be read. */
  decided(stage: string, seconds: number): void;
  happened(event: ServiceEvent): void;
  answered(method: string, status: number, seconds: number): void;
  /** The metrics in Prometheus's text format; waiting deliveries are counted at the call. */
  write(service: Service): Promise<{ readonly type: string; readonly text: string }>;
}

const DECISION_SECONDS = [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1];
const ANSWER_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** `process` adds metrics of this process, such as its memory. */
export function createMetrics(scope: "process" | "service"): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  if (scope === "process") collectDefaultMetrics({ register: registry });
  const stats = createResolveStats();
  const events = new Counter({
    name: "mailflow_message_events_total",
    help: "What happened to messages, by status and transport; SOFT-BOUNCE is tried again.",
    labelNames: ["status", "transport"],
    registers,
  });
  const received = new Counter({
    name: "mailflow_simulated_received_total",
    help: "Messages that arrived in mailboxes and webhooks of the simulated internet.",
    registers,
  });
  const decisions = new Histogram({
    name: "mailflow_decision_seconds",
    help: "Time to decide a message for one recipient, by the stage that it was read up to.",
    labelNames: ["stage"],
    buckets: DECISION_SECONDS,
    registers,
  });
  const answers = new Histogram({
    name: "mailflow_http_answer_seconds",
    help: "Time to answer an API request, by method and status.",
    labelNames: ["method", "status"],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `mailflow_${name}`, help, labelNames: [...labelNames], registers });
  const work = gauge("resolve_work", "What resolving did since the start, by kind.", ["kind"]);
  const waiting = gauge("deliveries_waiting", "Deliveries that have no final event yet.");
  const breakers = gauge("circuit_breakers", "Destination hosts that gave no answer, by state.", [
    "state",
  ]);
  const compiled = gauge("compiled_domains", "Domains that are ready to decide.");
  const cached = gauge("compile_cache", "What the compiler keeps, by cache and figure.", [
    "cache",
    "figure",
  ]);

  async function collect(service: Service): Promise<void> {
    const { store, compiled: domains, compiler, clock } = service;
    const states = (await listBreakers(service)).map((row) => breakerState(row, clock.nowMs()));
    for (const state of ["closed", "open", "half-open"] as const) {
      breakers.set({ state }, states.filter((each) => each === state).length);
    }
    for (const [kind, count] of Object.entries(stats)) work.set({ kind }, count);
    compiled.set(domains.size);
    for (const [cache, figures] of Object.entries(compiler.stats())) {
      for (const [figure, count] of Object.entries(figures as Record<string, number>)) {
        cached.set({ cache, figure }, count);
      }
    }
    waiting.set(await store.table(DELIVERIES).count({ where: {} }));
  }

  return {
    stats,
    decided: (stage, seconds) => decisions.observe({ stage }, seconds),
    happened({ kind, log }) {
      if (kind === "received") received.inc();
      const last = log?.events.at(-1);
      if (kind === "log" && last !== undefined) {
        events.inc({ status: last.status, transport: log!.transport });
      }
    },
    answered: (method, status, seconds) => answers.observe({ method, status }, seconds),
    async write(service) {
      await collect(service);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
}
