/** A certificate of our own making: it lets clients speak TLS to a local server, and vouches for nobody. */
import { generate } from "selfsigned";

export interface Certificate {
  /** Both in PEM. */
  readonly key: string;
  readonly cert: string;
}

export async function makeCertificate(hostname: string): Promise<Certificate> {
  const made = await generate([{ name: "commonName", value: hostname }], {
    keyType: "ec",
    algorithm: "sha256",
  });
  return { key: made.private, cert: made.cert };
}
