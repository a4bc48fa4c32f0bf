/** Sizes after transfer decoding, against mailparser's decoders. */
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { expect, test } from "vitest";
import { decodedSize } from "../../../src/message/mime/decoded-size.ts";
import type { PartHead } from "../../../src/message/mime/part-head.ts";

const SEED = { seed: 20261120, numRuns: 300 };

function sizeOf(transferEncoding: PartHead["transferEncoding"], content: string): number {
  const head = {
    contentType: "a/b",
    charset: "",
    filename: "",
    format: "fixed",
    fields: [],
  } as const;
  const bytes = Buffer.from(content, "latin1");
  return decodedSize({ ...head, disposition: "attachment", transferEncoding, content: bytes });
}

/** Size of the attachment when mailparser decodes it. */
async function theirSize(transferEncoding: string, content: string): Promise<number> {
  const head = `Content-Type: a/b\nContent-Transfer-Encoding: ${transferEncoding}\n\n`;
  const mail = await simpleParser(Buffer.from(head + content, "latin1"));
  return mail.attachments[0]!.size;
}

test.each(["base64", "quoted-printable"] as const)(
  "%s of any octets, as encoders write it",
  (encoding) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        const bytes = Buffer.from(octets);
        const encoded =
          encoding === "base64"
            ? bytes.toString("base64").replace(/.{76}/g, "$&\r\n")
            : [...bytes]
                .map((octet) => `=${octet.toString(16).toUpperCase().padStart(2, "0")}`)
                .join("")
                .replace(/.{75}/g, "$&=\r\n");
        expect(sizeOf(encoding, encoded)).toBe(bytes.length);
      }),
      SEED,
    );
  },
);

test("quoted-printable of any text, as mailparser decodes it", async () => {
  const token = fc.constantFrom(
    "=3D",
    "=\n",
    "=\r\n",
    "=  \n",
    "= ",
    " ",
    "\t",
    "\n",
    "\r\n",
    "a",
    "4",
    "\xe9",
    "=e9",
    "=G0",
  );
  // `==` before a line's end is left out: mailparser then reads on over the line.
  const last = fc.constantFrom("a", "=", "=4");
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 30 }), last, async (tokens, end) => {
      const content = tokens.join("") + end;
      expect(sizeOf("quoted-printable", content)).toBe(
        await theirSize("quoted-printable", content),
      );
    }),
    SEED,
  );
});

test("identity counts octets", () => {
  expect(sizeOf("identity", "=20 \r\n")).toBe(6);
});
