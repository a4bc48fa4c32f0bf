/** HTTP Basic (RFC 7617): user `api`, and the account's key as the password (API v4 §5). */
import { createHash, timingSafeEqual } from "node:crypto";

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Clients of this API also send the two unencoded; a colon is in no Base64 text. */
// ASSUMPTION(raw-basic): `Basic api:KEY` is taken like its Base64 form
function credentialsOf(authorization: string): string {
  const [, sent = ""] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  return sent.includes(":") ? sent : Buffer.from(sent, "base64").toString("utf8");
}

/** Whether a header carries the key; its time tells nothing of how much of it was right. */
export function keyHolder(apiKey: string): (authorization: string | null) => boolean {
  const wanted = hash(`api:${apiKey}`);
  return (authorization) =>
    authorization !== null && timingSafeEqual(hash(credentialsOf(authorization)), wanted);
}
