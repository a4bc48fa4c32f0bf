/** Finds the parts of a message in memory, without decoding them (RFC 2045, RFC 2046). */
import { LIMITS } from "../../base/limits.ts";
import type { CharsetDecoder } from "../header/encoded-words.ts";
import type { HeaderField } from "../header/header-block.ts";
import type { MessageProblem } from "../header/message-problem.ts";
import { closeAll, type MimePart, type PartLimits, passLines, readerOf } from "./part-reader.ts";

/**
 * The parts of a message whose fields were read, in order. Total. A multipart without a boundary is one text part,
 * since no reader finds parts in it. A multipart in which no part begins has no parts. Parts beyond the bounds are
 * left out. `problems` lists all of that. `strayStart` is where text begins among the fields. `bytes` has LF or CRLF
 * lines.
 */
// ASSUMPTION(embedded-message): a message within the message is an attachment; its text is not part of the body.
export function findParts(
  bytes: Uint8Array,
  fields: readonly HeaderField[],
  bodyStart: number,
  decode: CharsetDecoder,
  limits: PartLimits = LIMITS,
  strayStart: number | null = null,
): { readonly parts: readonly MimePart[]; readonly problems: readonly MessageProblem[] } {
  const reader = readerOf(bytes, fields, bodyStart, strayStart, decode, limits, null);
  passLines(reader, "end");
  closeAll(reader);
  return { parts: reader.parts, problems: [...reader.problems.values()] };
}
