/** One of the shards of a replay: the octets that it routes, and the identity of its run. */
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

/** With more shards, finding a shard's mail costs more than routing it. */
export const SHARDS_MAX = 100_000;

/** Hashes of everything in a replay that must be the same in all of its parts. Plain JSON. */
export interface RunIdentity {
  readonly version: string;
  readonly domain: string;
  readonly options: string;
  /** Names, sizes and times (in seconds) of everything found. */
  readonly mail: string;
}

/** All mail of a replay, from names and sizes alone. */
export interface Survey {
  readonly run: RunIdentity;
  /** Octets of all entries laid end to end. */
  readonly room: number;
  readonly files: number;
}

/** Checks that all places are plain files and folders: only these can be divided, as they can be read from anywhere. */
export function divisible(places: readonly MailPlace[]): readonly NamedFile[] {
  return places.map((place) => {
    if ("path" in place) return place;
    const said = `\`${place.name}\` is a stream, which cannot be divided into shards: name files or folders`;
    throw new ReplayError("refused", said);
  });
}

/** Some mounts of object storage keep times only in seconds. */
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

/** The range of a shard's mail, with all mail laid end to end: shards have equal sizes, and leave nothing out. */
export function rangeOf({ number, of }: Shard, room: number): OctetRange {
  const border = (after: number): number =>
    after === of ? Math.max(room, 1) : Math.floor((room * after) / of);
  return { start: border(number - 1), end: border(number) };
}
