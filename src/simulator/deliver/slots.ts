/** Slots for deliveries: a few for each destination host, so that a host that hangs stops only its own mail. */
import { LIMITS } from "../../base/limits.ts";
import type { QueuedTask } from "../queue/queue.ts";

/** How many tasks of a host run, and how many wait. */
export interface HostLoad {
  readonly host: string;
  readonly running: number;
  readonly waiting: number;
}

export interface Slots {
  /**
   * Returns whether there is room for a task now. If so, the task holds a slot until `giveBack`. If not, it is put in the
   * waiting list, once per id; pass `null` for a task that waits elsewhere.
   */
  take(host: string, task: QueuedTask | null, slotsMax: number, bytes: number): boolean;
  /** Returns the tasks that may try again, and takes them off the waiting list. */
  giveBack(host: string, bytes: number): readonly QueuedTask[];
  loads(): readonly HostLoad[];
  clear(): void;
}

interface Host {
  running: number;
  readonly waiting: Map<string, QueuedTask>;
}

export function createSlots(): Slots {
  const hosts = new Map<string, Host>();
  /** Hosts with room whose tasks wait for room in the total. */
  const crowdedOut = new Set<string>();
  let running = 0;
  let bytesUnderWay = 0;

  function hostOf(name: string): Host {
    const host = hosts.get(name) ?? { running: 0, waiting: new Map() };
    hosts.set(name, host);
    return host;
  }

  /** Nothing is kept about a host without deliveries. */
  function drop(name: string): void {
    const host = hosts.get(name);
    if (host?.running === 0 && host.waiting.size === 0) hosts.delete(name);
  }

  function next(name: string): readonly QueuedTask[] {
    const host = hosts.get(name);
    const [first] = host?.waiting.values() ?? [];
    if (host === undefined || first === undefined) return [];
    host.waiting.delete(first.id);
    return [first];
  }

  return {
    take(name, task, slotsMax, bytes) {
      const host = hostOf(name);
      const isCrowded =
        running >= LIMITS.deliverySlotsMax ||
        // A message larger than the limit for all is delivered alone.
        (running > 0 && bytesUnderWay + bytes > LIMITS.deliveryBytesMax);
      if (host.running >= slotsMax || isCrowded) {
        if (task === null) {
          drop(name);
          return false;
        }
        host.waiting.set(task.id, task);
        if (isCrowded) crowdedOut.add(name);
        return false;
      }
      if (task !== null) host.waiting.delete(task.id);
      host.running++;
      running++;
      bytesUnderWay += bytes;
      return true;
    },
    giveBack(name, bytes) {
      const host = hostOf(name);
      host.running--;
      running--;
      bytesUnderWay -= bytes;
      const freed = [...next(name)];
      // One more host whose tasks found no room in the total, in the order of arrival.
      const [other] = crowdedOut;
      if (other !== undefined) {
        freed.push(...next(other));
        if ((hosts.get(other)?.waiting.size ?? 0) === 0) crowdedOut.delete(other);
      }
      drop(name);
      return freed;
    },
    loads: () =>
      [...hosts].map(([host, { running: busy, waiting }]) => ({
        host,
        running: busy,
        waiting: waiting.size,
      })),
    clear() {
      for (const host of hosts.values()) host.waiting.clear();
      crowdedOut.clear();
    },
  };
}
