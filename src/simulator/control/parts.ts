/** The parts of a simulator that the control plane uses. */

import type { DnsZone } from "../model/domains/dns-zone.ts";
import type { Service } from "../model/service.ts";
import type { SimulatedClock } from "../queue/clock.ts";
import type { IntakeFaults } from "../smtp/intake-faults.ts";
import type { Transcripts } from "../smtp/transcripts.ts";
import type { EventFeed } from "./event-feed.ts";
import type { RequestLog } from "./request-log.ts";

/** The time of a clock, and whether it is frozen. */
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
  /** Called after the state was replaced, to drop everything that is not part of it. */
  readonly onRestored: () => void;
}
