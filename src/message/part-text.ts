/** Decodes the text of one part. */
import { joinFlowed } from "../mail/flowed-text.ts";
import type { MimePart } from "../mail/mime-parts.ts";
import { decodeTransfer } from "../mail/transfer-decoding.ts";
import { decodeCharset } from "./charset.ts";

/** The text of a text part, lines ended with LF. Total; linear in the length of its content. */
export function decodeText(part: MimePart): string {
  const bytes = decodeTransfer(part.content, part.transferEncoding);
  const decoded = decodeCharset(bytes, part.charset || "us-ascii");
  const text = decoded.includes("\r") ? decoded.replaceAll("\r\n", "\n") : decoded;
  if (part.format === "fixed") return text;
  return joinFlowed(text, part.format === "flowed-delsp" ? "delsp" : "keep");
}
