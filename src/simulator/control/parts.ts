/** The parts of a simulator that the control plane works on. */

import type { DnsZone } from "../model/domains/dns-zone.ts";
import type { Service } from "../model/service.ts";
import type { SimulatedClock } from "../queue/clock.ts";
import type { IntakeFaults } from "../smtp/intake-faults.ts";
import type { Transcripts } from "../smtp/transcripts.ts";
import type { EventFeed } from "./event-feed.ts";
import type { RequestLog } from "./request-log.ts";

/** What a clock shows, and whether it stands still. */
export interface ClockReading {
  readonly nowMs: number;
  readonly frozen: boolean;
}

export interface Parts {
  readonly service: Service;
  readonly clock: SimulatedClock;
  readonly zone: DnsZone;
  readonly feed: EventFeed;
  readonly requests: RequestLog;
  readonly transcripts: Transcripts;
  readonly intake: IntakeFaults;
  /** How a new world begins. */
  readonly start: { readonly idSeed: string; clock(): ClockReading };
  /** Called when the state has been replaced, to forget everything that is not part of it. */
  readonly onRestored: () => void;
}
