/** One of the shards into which a replay is divided: whose octets it routes, and of which run it is. */
import { createHash } from "node:crypto";
import manifest from "../../../../package.json" with { type: "json" };
import type { MailPlace, NamedFile } from "../mail-place.ts";
import type { ReplayJob } from "../replay-batch.ts";
import { ReplayError } from "../replay-error.ts";
import { type OctetRange, roomOf, walked } from "../replay-plan.ts";
import { hashOf } from "../replay-state.ts";

/** Shard `number` of 1 to `of`. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

/** Above it a shard costs more for finding its mail than for routing it. */
export const SHARDS_MAX = 100_000;

/** What of a replay has to be the same in all of its parts: a hash of each. Plain JSON. */
export interface RunIdentity {
  readonly version: string;
  readonly domain: string;
  readonly options: string;
  /** Names, sizes and times (in seconds) of all that is found. */
  readonly mail: string;
}

/** All mail of a replay, as far as names and sizes tell. */
export interface Survey {
  readonly run: RunIdentity;
  /** Octets of the room that everything takes, laid end to end. */
  readonly room: number;
  readonly files: number;
}

/** Plain files and folders alone can be divided: they have names, and can be read from anywhere. */
export function divisible(places: readonly MailPlace[]): readonly NamedFile[] {
  return places.map((place) => {
    if ("path" in place) return place;
    const said = `\`${place.name}\` is a stream, which cannot be divided into shards: name files or folders`;
    throw new ReplayError("refused", said);
  });
}

/** Some mounts of object storage keep no more of a time. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1_000);
}

/** Looks at the names, sizes and times of all mail; reads none of it. */
export function survey(places: readonly NamedFile[], job: ReplayJob): Survey {
  const mail = createHash("sha256");
  let [room, files] = [0, 0];
  for (const place of places) {
    mail.update(JSON.stringify(place.name));
    for (const found of walked(place, undefined)) {
      room += roomOf(found);
      files++;
      if ("kind" in found) {
        mail.update(JSON.stringify(found));
        continue;
      }
      const { name, stats } = found;
      if (!stats.isFile()) {
        const said = `\`${name}\` is a pipe or device, which cannot be divided into shards: name files or folders`;
        throw new ReplayError("refused", said);
      }
      mail.update(JSON.stringify([name, stats.size, secondsOf(stats.mtimeMs)]));
    }
  }
  const { config, recipients, sender, lines } = job;
  const run: RunIdentity = {
    version: manifest.version,
    domain: hashOf(JSON.stringify(config)),
    options: hashOf(JSON.stringify([recipients, sender, lines])),
    mail: mail.digest("hex"),
  };
  return { run, room, files };
}

/** Where a shard's mail stands, of all that is laid end to end: shards are of one size, and leave nothing out. */
export function rangeOf({ number, of }: Shard, room: number): OctetRange {
  const border = (after: number): number =>
    after === of ? Math.max(room, 1) : Math.floor((room * after) / of);
  return { start: border(number - 1), end: border(number) };
}
