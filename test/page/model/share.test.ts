/** Links: what they hold comes back, and a damaged one says so; nothing else is ever read from it. */
import { randomBytes } from "node:crypto";
import { deflateRawSync, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeRule } from "../../../src/page/model/domain.ts";
import { typedMail } from "../../../src/page/model/mail.ts";
import { packState, unpackState } from "../../../src/page/model/share.ts";
import { compileOn } from "./example.ts";

const { draft: saved, mails } = compileOn();
const draft = changeRule(saved, "junk", { active: false });
const DAMAGED = "the link is damaged or cut off: copy the whole link again";

const linkOf = (bytes: Buffer): string => bytes.toString("base64url");
const jsonLink = (value: unknown): string => linkOf(deflateSync(JSON.stringify(value)));

describe("a link", () => {
  test.each(mails.map((mail) => ({ mail, name: mail.name })))(
    "brings rules, edits and message: $name",
    async ({ mail }) => {
      const state = { saved, draft, mail };
      const packed = await packState(state);
      expect(packed).toMatch(/^[\w-]+$/);
      expect(await unpackState(packed)).toEqual(state);
    },
  );

  test("without the message has nothing of it, also after the message was edited", async () => {
    const packed = await packState({ saved, draft, mail: null });
    expect(await unpackState(packed)).toEqual({ saved, draft, mail: null });
  });

  test("brings every text, in any alphabet", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string(), async (subject, body) => {
        const mail = { ...typedMail("x.example"), subject, body, edited: true };
        expect((await unpackState(await packState({ saved, draft, mail }))).mail).toEqual(mail);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  test("that is cut off anywhere says so", async () => {
    const packed = await packState({ saved, draft, mail: null });
    for (let length = 0; length < packed.length; length++) {
      await expect(unpackState(packed.slice(0, length))).rejects.toThrow(DAMAGED);
    }
  });

  test("with a wrong character anywhere says so, and never shows other rules", async () => {
    const packed = await packState({ saved, draft, mail: null });
    for (let at = 0; at < packed.length - 1; at++) {
      const wrong = packed[at] === "A" ? "B" : "A";
      const damaged = packed.slice(0, at) + wrong + packed.slice(at + 1);
      await expect(unpackState(damaged), `at ${at}`).rejects.toThrow(DAMAGED);
    }
  });

  test.each(["", "%%%", "AAAA", "eJw", "not a link"])("of anything else: %j", async (text) => {
    await expect(unpackState(text)).rejects.toThrow(DAMAGED);
  });

  test("that holds no rules says what is missing", async () => {
    await expect(unpackState(jsonLink(null))).rejects.toThrow("a domain file is a JSON object");
    await expect(unpackState(jsonLink({ saved: {} }))).rejects.toThrow("`domain` is missing");
  });

  test("of an older page is read: without a checksum, edits or newer fields of the message", async () => {
    const old = {
      saved,
      draft,
      mail: { subject: "invoice 1", headers: [["to", ["a@b.example"]]] },
    };
    const read = await unpackState(linkOf(deflateRawSync(JSON.stringify(old))));
    expect(read.draft).toEqual(draft);
    expect(read.mail).toMatchObject({ subject: "invoice 1", body: "", attachments: [] });
    expect(read.mail!.headers.get("to")).toEqual(["a@b.example"]);
    expect(await unpackState(jsonLink({ saved }))).toEqual({ saved, draft: saved, mail: null });
  });

  test("is not made where a browser could not open it, and says what to do", async () => {
    const body = randomBytes(1_000_000).toString("hex");
    const mail = { ...typedMail("x.example"), body };
    await expect(packState({ saved, draft, mail })).rejects.toThrow(/leave the message out/);
    const repeated = { ...mail, body: "a".repeat(4_000_000) };
    await expect(packState({ saved, draft, mail: repeated })).rejects.toThrow(
      /too much for a link/,
    );
  });

  test("that unpacks to more than the page accepts is refused before it is unpacked whole", async () => {
    const bomb = linkOf(deflateSync(Buffer.alloc(200_000_000)));
    await expect(unpackState(bomb)).rejects.toThrow("more than the page accepts");
  });
});
