/** Decodes the text of one part. */

import { metaCharset } from "../html/meta-charset.ts";
import { decodeCharset } from "../text/charset.ts";
import { joinFlowed } from "../text/flowed-text.ts";
import type { MimePart } from "./part-reader.ts";
import { decodeTransfer } from "./transfer-decoding.ts";

/** The text of a text part, lines ended with LF. Total; linear in the length of its content. */
export function decodeText(part: MimePart): string {
  const bytes = decodeTransfer(part.content, part.transferEncoding);
  const own = part.charset === "" && part.contentType === "text/html" ? metaCharset(bytes) : "";
  const decoded = decodeCharset(bytes, part.charset || own || "us-ascii");
  const text = decoded.includes("\r") ? decoded.replaceAll("\r\n", "\n") : decoded;
  if (part.format === "fixed") return text;
  return joinFlowed(text, part.format === "flowed-delsp" ? "delsp" : "keep");
}
