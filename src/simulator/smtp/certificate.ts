/** A self-signed certificate: clients can speak TLS to a local server with it, but it proves nothing. */
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
