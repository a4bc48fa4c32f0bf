/** Reads messages by path: a file, or a message of an mbox by its number (`archive.mbox#3`). */
import type { SourceMessage } from "../../rehearse/route-message.ts";
import { UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { messagesAt } from "./find-messages.ts";

interface AskedMessage {
  /** Its index among the paths. */
  readonly index: number;
  readonly path: string;
  /** 1-based; `null`: the only message of the file. */
  readonly place: number | null;
}

/** Called for each path, in the order of the files, with its message or the reason why there is none. */
export type OnMessage = (index: number, found: SourceMessage | UsageError) => Promise<void>;

function placeOf(path: string): { readonly file: string; readonly place: number | null } {
  const [, file, place] = /^(.+)#([1-9]\d*)$/s.exec(path) ?? [];
  return { file: file ?? path, place: place === undefined ? null : Number(place) };
}

/** Node 20 has no `Map.groupBy`. */
function grouped<K, T>(all: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

/** The requested messages of one file, in one pass that reads no further than needed. */
async function eachOfFile(
  file: string,
  asked: readonly AskedMessage[],
  io: CliIo,
  onMessage: OnMessage,
): Promise<void> {
  const byPlace = grouped(asked, ({ place }) => place);
  const alone = byPlace.get(null) ?? [];
  const last = Math.max(alone.length > 0 ? 2 : 0, ...asked.map(({ place }) => place ?? 0));
  const waiting = new Set(asked);
  const answer = async (these: readonly AskedMessage[], found: SourceMessage | UsageError) => {
    for (const each of these) {
      if (waiting.delete(each)) await onMessage(each.index, found);
    }
  };
  let [seen, first]: [number, SourceMessage | undefined] = [0, undefined];
  try {
    for await (const source of await messagesAt(file, io)) {
      if ("failure" in source) throw new UsageError(source.failure);
      seen++;
      first ??= source;
      await answer(byPlace.get(seen) ?? [], source);
      if (seen === last) break;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await answer(asked, error);
  }
  if (first !== undefined && seen === 1) await answer(alone, first);
  for (const each of waiting) {
    await onMessage(each.index, missing(file, each, seen, first));
  }
}

function missing(
  file: string,
  { path, place }: AskedMessage,
  seen: number,
  first: SourceMessage | undefined,
): UsageError {
  if (place !== null) return new UsageError(`no message \`${path}\`: \`${file}\` has ${seen}`);
  if (first === undefined) return new UsageError(`no message in \`${path}\``);
  const named = first.name.replace(/#\d+$/, "#2");
  return new UsageError(`\`${path}\` has more than one message: name one, as in \`${named}\``);
}

/** Reads each file once, however many of its messages are requested. */
export async function eachMessage(
  paths: readonly string[],
  io: CliIo,
  onMessage: OnMessage,
): Promise<void> {
  const asked = paths.map((path, index) => ({ index, path, ...placeOf(path) }));
  for (const [file, these] of grouped(asked, (each) => each.file)) {
    await eachOfFile(file, these, io, onMessage);
  }
}

/** The only message at `path`, or the one whose number follows a `#`. Throws a `UsageError` if there is none. */
export async function oneMessage(path: string, io: CliIo): Promise<SourceMessage> {
  let found: SourceMessage | undefined;
  await eachMessage([path], io, async (_, each) => {
    if (each instanceof UsageError) throw each;
    found = each;
  });
  return found!;
}
