/** Stored passwords: scrypt with a salt for each (RFC 7914). */
import { createHash, createHmac, scrypt, timingSafeEqual } from "node:crypto";
import type { Service } from "../service.ts";

/** Octets of a salt and of a hash. */
const SALT_BYTES = 16;
const HASH_BYTES = 32;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  // The HMAC below scrypt pads short keys with NUL, so that passwords which end in NUL would be alike.
  const digest = createHash("sha256").update(password.normalize("NFKC")).digest();
  return new Promise((resolve, reject) => {
    scrypt(digest, salt, HASH_BYTES, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}

/** `<salt hex>:<hash hex>`; the salt is derived from the service's secret and a counter, so that runs repeat. */
export async function hashPassword(service: Service, password: string): Promise<string> {
  const salt = createHmac("sha256", service.settings.secret)
    .update(`salt ${service.ids.next("salt")}`)
    .digest()
    .subarray(0, SALT_BYTES);
  return `${salt.toString("hex")}:${(await derive(password, salt)).toString("hex")}`;
}

/** The hash to compare with if there is no credential, so that both cases take the same time. */
const NO_HASH = `${"00".repeat(SALT_BYTES)}:${"00".repeat(HASH_BYTES)}`;

export async function passwordFits(password: string, kept: string | undefined): Promise<boolean> {
  const [salt, hash] = (kept ?? NO_HASH).split(":").map((hex) => Buffer.from(hex, "hex"));
  const fits = timingSafeEqual(await derive(password, salt!), hash!);
  return fits && kept !== undefined;
}
