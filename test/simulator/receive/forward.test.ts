/** What a forwarder adds to a message, and the senders it rewrites. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { splitHeaderBlock } from "../../../src/message/header/header-block.ts";
import {
  addedFields,
  mailDate,
  traceField,
} from "../../../src/simulator/receive/forward-message.ts";
import { srsForward, srsReverse } from "../../../src/simulator/receive/forward-srs.ts";

const NOW = Date.UTC(2026, 10, 20, 9, 5, 7);
const DAY_MS = 86_400_000;

describe("dates", () => {
  test("of RFC 5322 §3.3, read back by others", () => {
    expect(mailDate(NOW)).toBe("Fri, 20 Nov 2026 09:05:07 +0000");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        expect(Date.parse(mailDate(seconds * 1_000))).toBe(seconds * 1_000);
      }),
      { seed: 20261120, numRuns: 200 },
    );
  });

  test("of times within one second are the same, before and after other seconds", () => {
    const dates = [0, 999, 1_000, 500, -1, 0].map((ms) => mailDate(NOW + ms).slice(17, 25));
    const [first, next, last] = ["09:05:07", "09:05:08", "09:05:06"];
    expect(dates).toEqual([first, first, next, first, last, first]);
  });
});

describe("the Received field", () => {
  test("cannot be added to by what a client says of itself", () => {
    const hostile = "x\r\nBcc: victim@mail.example (";
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant(hostile)), fc.string(), (helo, remote) => {
        const field = traceField({ helo, remote, protocol: "ESMTP" }, "us.example", "id", NOW);
        const { fields } = splitHeaderBlock(Buffer.from(`${field}\r\n`));
        expect(fields.map(({ name }) => name)).toEqual(["received"]);
        expect(field).toMatch(
          /^Received: from [\w.:[\]-]+(?: \(\[[\w.:-]*\]\))?\r\n\tby us\.example/,
        );
      }),
      { seed: 20261120, numRuns: 300 },
    );
  });

  test("stands below Delivered-To, which a message that begins with a blank does not fold into", () => {
    const added = addedFields("Received: x\r\n", {
      deliveredTo: "a@b.example",
      envelopeSender: "ann@c.example",
      hostname: "mx.example",
    });
    const { fields } = splitHeaderBlock(Buffer.from(`${added} folded\r\n\r\nbody`));
    expect(fields.map(({ name, value }) => [name, Buffer.from(value).toString().trim()])).toEqual([
      ["delivered-to", "a@b.example"],
      ["x-forwarding-service", "mailflow"],
      [
        "authentication-results",
        "mx.example; spf=none smtp.mailfrom=ann@c.example; dkim=none; dmarc=none",
      ],
      ["received-spf", 'none (mx.example: not checked) envelope-from="ann@c.example"'],
      ["received", "x\r\n folded"],
    ]);
  });
});

describe("rewritten senders", () => {
  const reversed = (sender: string, atMs: number = NOW): unknown => {
    const address = srsForward("secret", NOW, sender, "fwd.example");
    return srsReverse("secret", atMs, address.slice(0, address.lastIndexOf("@")));
  };
  const local = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9=+._-]{0,20}$/);
  const host = fc.stringMatching(/^[a-z0-9]{1,10}\.[a-z]{2,5}$/);

  test("lead back to the author", () => {
    fc.assert(
      fc.property(local, host, (name, domain) => {
        fc.pre(!/^srs[01][=+-]/i.test(name) && domain !== "fwd.example");
        expect(reversed(`${name}@${domain}`)).toEqual({ ok: true, address: `${name}@${domain}` });
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });

  test("through a chain of forwarders, to the first one", () => {
    const first = srsForward("theirs", NOW, "author@source.example", "first.example");
    const second = srsForward("others", NOW, first, "second.example");
    const third = srsForward("secret", NOW, second, "fwd.example");
    expect(second).toMatch(/^SRS1=[a-z2-7]{8}=first\.example==.+@second\.example$/);
    expect(third).toMatch(/^SRS1=[a-z2-7]{8}=first\.example==.+@fwd\.example$/);
    const back = srsReverse("secret", NOW, third.slice(0, third.lastIndexOf("@")));
    expect(back).toEqual({ ok: true, address: first });
  });

  test("with another separator after SRS0 keep it", () => {
    const second = srsForward(
      "secret",
      NOW,
      "SRS0+ab=cd=source.example=a@first.example",
      "fwd.example",
    );
    const back = srsReverse("secret", NOW, second.slice(0, second.lastIndexOf("@")));
    expect(back).toEqual({ ok: true, address: "SRS0+ab=cd=source.example=a@first.example" });
  });

  test("the null sender, senders at the domain itself and quoted ones stay", () => {
    for (const sender of ["", "a@fwd.example", "a@FWD.example", '"a b"@source.example', "nobody"]) {
      expect(srsForward("secret", NOW, sender, "fwd.example")).toBe(sender);
    }
  });

  test("hold for some weeks, over the turn of the day count too", () => {
    const old = NOW + LIMITS.srsDaysMax * DAY_MS;
    expect(reversed("a@source.example", old)).toMatchObject({ ok: true });
    expect(reversed("a@source.example", old + DAY_MS)).toMatchObject({ ok: false });
    const turn = 1_024 * DAY_MS * 20 - DAY_MS;
    const address = srsForward("secret", turn, "a@source.example", "fwd.example");
    const [path] = address.split("@");
    expect(srsReverse("secret", turn + 2 * DAY_MS, path!)).toMatchObject({ ok: true });
  });

  test("cannot be forged, changed or made with another secret", () => {
    const address = srsForward("secret", NOW, "author@source.example", "fwd.example");
    const [path] = address.split("@");
    for (let at = 5; at < path!.length; at++) {
      const letter = path![at] === "a" ? "b" : "a";
      const changed = `${path!.slice(0, at)}${letter}${path!.slice(at + 1)}`;
      expect(srsReverse("secret", NOW, changed), changed).not.toMatchObject({ ok: true });
    }
    expect(srsReverse("another", NOW, path!)).toMatchObject({ ok: false });
    expect(srsReverse("secret", NOW, path!.toUpperCase())).toMatchObject({ ok: true });
  });

  test("any local part is read without a throw; what is none of these is null", () => {
    expect(srsReverse("secret", NOW, "author")).toBeNull();
    expect(srsReverse("secret", NOW, "srs0")).toBeNull();
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("SRS0=", "srs1=", "SRS1+", ""), (text, prefix) => {
        const read = srsReverse("secret", NOW, `${prefix}${text}`);
        expect(read?.ok ?? false).toBe(false);
      }),
      { seed: 20261120, numRuns: 500 },
    );
  });
});

test("the hash of a return path is HMAC-SHA-256, with keys shorter and longer than a block", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  const secrets = ["", "k", "x".repeat(64), "x".repeat(65), "é".repeat(40)];
  for (const secret of secrets) {
    for (const sender of ["Ann@source.example", "änn@source.example"]) {
      const address = srsForward(secret, NOW, sender, "fwd.example");
      const [, hash, rest] = /^SRS0=([a-z2-7]{8})=(.+)@fwd\.example$/.exec(address) ?? [];
      const hmac = createHmac("sha256", secret).update(`srs ${rest!.toLowerCase()}`).digest();
      expect(hash).toBe([...hmac.subarray(0, 8)].map((octet) => letters[octet & 31]).join(""));
    }
  }
});
