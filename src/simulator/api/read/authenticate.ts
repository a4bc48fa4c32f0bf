/** HTTP Basic (RFC 7617): user `api`, and the account's key as the password (API v4 §5). */
import { createHash, timingSafeEqual } from "node:crypto";

const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Some clients send user and key unencoded, which is recognisable because Base64 contains no colon. */
// ASSUMPTION(raw-basic): `Basic api:KEY` is taken like its Base64 form
function credentialsOf(authorization: string): string {
  const [, sent = ""] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  return sent.includes(":") ? sent : Buffer.from(sent, "base64").toString("utf8");
}

/** Correct headers so far: clients send the same one again and again. */
const KNOWN_MAX = 16;

/**
 * Whether a header has the key. The time taken does not show how much of it was right: a header that was right before is known
 * by its hash, and any other is compared as a whole.
 */
export function keyHolder(apiKey: string): (authorization: string | null) => boolean {
  const wanted = hash(`api:${apiKey}`);
  const known = new Set<string>();
  return (authorization) => {
    if (authorization === null) return false;
    if (known.has(authorization)) return true;
    const isRight = timingSafeEqual(hash(credentialsOf(authorization)), wanted);
    if (isRight && known.size < KNOWN_MAX) known.add(authorization);
    return isRight;
  };
}
