/** One message of a path: a file, or one of an mbox by its place (`archive.mbox#3`). */
import type { SourceMessage } from "../rehearse/route-message.ts";
import { UsageError } from "./command.ts";
import { messagesAt } from "./find-messages.ts";
import type { CliIo } from "./io.ts";

/** The only message at `path`, or the one whose place follows a `#`. Throws a `UsageError` if there is none. */
export async function oneMessage(path: string, io: CliIo): Promise<SourceMessage> {
  const [, file, place] = /^(.+)#([1-9]\d*)$/s.exec(path) ?? [];
  const wanted = place === undefined ? 1 : Number(place);
  let seen = 0;
  let found: SourceMessage | undefined;
  for await (const source of await messagesAt(file ?? path, io)) {
    if ("failure" in source) throw new UsageError(source.failure);
    seen++;
    if (seen === wanted) found = source;
    if (place === undefined && seen > 1) {
      throw new UsageError(
        `\`${path}\` has more than one message: name one, as in \`${source.name}\``,
      );
    }
    if (place !== undefined && found !== undefined) break;
  }
  if (found !== undefined) return found;
  if (place === undefined) throw new UsageError(`no message in \`${path}\``);
  throw new UsageError(`no message \`${path}\`: \`${file}\` has ${seen}`);
}
