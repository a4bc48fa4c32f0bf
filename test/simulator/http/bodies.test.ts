/** Bodies: JSON as it comes, forms of version 3, too much of either, and what is no text at all. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { type Answer, type Fields, openSite, type Sent, type Site } from "./fixture.ts";

const ALIASES = "/domains/own.test/aliases";

async function post(sent: Sent, version = "v4", site?: Site): Promise<Answer> {
  const { send } = site ?? (await openSite());
  return send("POST", `/${version}${ALIASES}`, sent);
}

describe("JSON", () => {
  test.each([
    ['{"alias":"a",}', "the body is not JSON at line 1, column 13: a comma before `}`: remove it"],
    [
      '{"alias":"a"',
      "the body is not JSON at line 1, column 13: the text ends where `,` or a closing bracket should be",
    ],
    [
      '{\n  "alias": a\n}',
      "the body is not JSON at line 2, column 12: `a` where a value should be",
    ],
    [
      '{"alias":"a"}}',
      "the body is not JSON at line 1, column 14: the value has ended before this",
    ],
    [
      '{"alias":"a\tb"}',
      "the body is not JSON at line 1, column 12: a control character in a string: write `\\u0009`",
    ],
    [
      "{'alias':1}",
      "the body is not JSON at line 1, column 2: `'` where a key in double quotes or `}` should be: write `\"`",
    ],
    ['{"alias":01}', "the body is not JSON at line 1, column 10: `01` where a value should be"],
    ["[1,2]", "the body is not a JSON object: give the fields in one"],
    ['"text"', "the body is not a JSON object: give the fields in one"],
    ["null", "the body is not a JSON object: give the fields in one"],
  ])("%s", async (raw, message) => {
    const { status, body } = await post({ raw });
    expect([status, body]).toEqual([400, { message, errors: {} }]);
  });

  test("an empty body has no fields", async () => {
    const { status, body } = await post({ raw: " \n" });
    expect([status, Object.keys(body.errors as Fields)]).toEqual([400, ["alias", "forward"]]);
    const site = await openSite();
    expect((await site.send("PUT", "/v4/domains/own.test")).status).toBe(200);
  });

  test("a byte order mark is no mistake, other octets that are not UTF-8 are", async () => {
    const text = '{"alias":"a","forward":"a@dest.test"}';
    expect((await post({ raw: `\ufeff${text}` })).status).toBe(200);
    for (const octets of [
      [0xff],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    ]) {
      const raw = Buffer.concat([
        Buffer.from('{"alias":"'),
        Buffer.from(octets),
        Buffer.from('"}'),
      ]);
      const { status, body } = await post({ raw: new Uint8Array(raw) });
      expect([status, body.message]).toEqual([400, "the body is not UTF-8: encode it as such"]);
    }
  });

  test("repeated-fields: the last value of a field counts, in JSON, queries and forms", async () => {
    const site = await openSite();
    const raw = '{"alias":"a","alias":"b","forward":"a@dest.test"}';
    expect((await post({ raw }, "v4", site)).body.alias).toMatchObject({ alias: "b" });
    const form = "alias=c&alias=d&forward=a@dest.test";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await post({ raw: form, headers }, "v3", site)).body.alias).toMatchObject({
      alias: "d",
    });
    const listed = await site.send("GET", `/v4${ALIASES}?limit=7&limit=3`);
    expect(listed.body.limit).toBe(3);
  });

  test("empty-parameter: a query parameter without a value is none", async () => {
    const site = await openSite();
    const { status, body } = await site.send("GET", `/v4${ALIASES}?query=&order=&limit=&page=`);
    expect([status, body.limit, body.total]).toEqual([200, 20, 2]);
  });

  test("content-type: version 4 reads JSON whatever it is called", async () => {
    const raw = '{"alias":"a","forward":"a@dest.test"}';
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "x"]) {
      expect((await post({ raw, headers: { "content-type": type } })).status).toBe(200);
    }
    expect((await post({ raw, headers: { "content-type": "text/plain" } }, "v3")).status).toBe(200);
  });

  test("depth is bounded", async () => {
    const nested = (levels: number): string =>
      `{"alias":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    const fits = await post({ raw: nested(LIMITS.jsonDepthMax - 1) });
    expect(fits.body.message).toBe("`alias` is an array: give a string");
    for (const raw of [
      nested(LIMITS.jsonDepthMax),
      '{"a":'.repeat(1_000_000),
      "[".repeat(8_000_000),
    ]) {
      const { status, body } = await post({ raw });
      expect([status, body.message]).toEqual([400, expect.stringContaining("goes too deep")]);
    }
    const quoted = JSON.stringify({ alias: "[".repeat(100), forward: '\\"[[{'.repeat(20) });
    expect((await post({ raw: quoted })).body.message).not.toContain("deep");
  });
});

describe("size", () => {
  const message = (max: number): string =>
    `the body is too large: at most ${max} octets are allowed`;
  const chunk = new Uint8Array(1_000_000).fill(32);

  /** A body of 30 MB without a length, and how much of it was asked for. */
  function endless(): { stream: ReadableStream<Uint8Array>; read: () => number } {
    let octets = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (octets >= 30_000_000) return controller.close();
        octets += chunk.length;
        controller.enqueue(chunk);
      },
    });
    return { stream, read: () => octets };
  }

  test.each(["v3", "v4"])(
    "body-too-large: 30 MB without a length are read up to the limit (%s)",
    async (version) => {
      const { stream, read } = endless();
      const { status, text } = await post({ raw: stream }, version);
      expect([status, text.includes(message(LIMITS.bodyBytesMax))]).toEqual([413, true]);
      expect(read()).toBeLessThan(LIMITS.bodyBytesMax + 3 * chunk.length);
    },
  );

  test("30 MB with a length are not read at all", async () => {
    const { stream, read } = endless();
    const { status } = await post({ raw: stream, headers: { "content-length": "30000000" } });
    expect(status).toBe(413);
    expect(read()).toBeLessThan(3 * chunk.length);
  });

  test("a length that is a lie does not help", async () => {
    const { stream } = endless();
    expect((await post({ raw: stream, headers: { "content-length": "7" } })).status).toBe(413);
    for (const length of ["-1", "x", "1e3", ""]) {
      expect((await post({ raw: "{", headers: { "content-length": length } })).status).toBe(400);
    }
  });

  test("the largest body fits; sending takes more, and 30 MB neither", async () => {
    const site = await openSite();
    const fits = `{"alias":"a"}${" ".repeat(LIMITS.bodyBytesMax - 13)}`;
    expect((await post({ raw: fits }, "v4", site)).status).toBe(400);
    expect((await post({ raw: `${fits} ` }, "v4", site)).status).toBe(413);
    const outbound = "/v4/domains/own.test/emails/outbound";
    const sent = await site.send("POST", outbound, { raw: `${fits} ` });
    expect([sent.status, Object.keys(sent.body.errors as Fields)]).toEqual([400, ["from", "to"]]);
    const { status, body } = await site.send("POST", outbound, { raw: new Uint8Array(30_000_000) });
    expect([status, body.message]).toEqual([413, message(LIMITS.sendBodyBytesMax)]);
  });

  test("a body that breaks off is the client's", async () => {
    const raw = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("gone")),
    });
    const site = await openSite();
    expect((await post({ raw }, "v4", site)).status).toBe(400);
    expect(site.defects).toEqual([]);
  });

  test("a stranger's body is not read", async () => {
    const { stream, read } = endless();
    const { status } = await post({ raw: stream, headers: { authorization: "" } });
    expect([status, read() < 3 * chunk.length]).toEqual([401, true]);
  });
});

describe("forms of version 3", () => {
  const urlencoded = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };

  test("urlencoded and multipart bodies are what they would be in JSON", async () => {
    const form = new FormData();
    form.set("alias", "ü+1");
    form.set("forward", "a@dest.test, b@dest.test");
    const raw = new URLSearchParams([...form] as [string, string][]).toString();
    const json = await post({ json: Object.fromEntries(form) }, "v3");
    expect(json.status).toBe(200);
    expect((await post({ raw, headers: urlencoded }, "v3")).text).toBe(json.text);
    expect((await post({ raw: form }, "v3")).text).toBe(json.text);
  });

  test("form-fields: numbers, flags, lists and objects", async () => {
    const site = await openSite();
    const rule = {
      type: "regex",
      config: '{"regex":"x","scopes":["body"],"forward":"a@dest.test"}',
      rank: "2.5",
      active: "false",
    };
    const raw = new URLSearchParams(rule).toString();
    const made = await site.send("POST", "/v3/domains/own.test/rules", {
      raw,
      headers: urlencoded,
    });
    expect(made.body.rule).toMatchObject({
      config: { regex: "x", scopes: ["body"] },
      rank: 2.5,
      active: false,
    });
    const ids = "ids=10000001&ids[]=10000002";
    const gone = await site.send("DELETE", `/v3${ALIASES}/batch`, {
      raw: ids,
      headers: urlencoded,
    });
    expect(gone.body.deleted).toEqual(["10000001", "10000002"]);
    const aliases = `behavior=add&aliases=${encodeURIComponent('[{"alias":"n","forward":"n@dest.test"}]')}`;
    const bulk = await site.send("POST", `/v3${ALIASES}/bulk`, {
      raw: aliases,
      headers: urlencoded,
    });
    expect(bulk.body.added).toHaveLength(1);
  });

  test.each([
    ["type=alias&config=x", "config", "`config` is `x`: give an object"],
    ["type=alias&config={}&rank=high", "rank", "`rank` is `high`: give a number"],
    ["type=alias&config={}&active=maybe", "active", "`active` is `maybe`: give true or false"],
  ])("%s is refused like the JSON it is not", async (raw, name, message) => {
    const site = await openSite();
    const { status, body } = await site.send("POST", "/v3/domains/own.test/rules", {
      raw,
      headers: urlencoded,
    });
    expect([status, body.errors]).toEqual([400, { [name]: [message] }]);
  });

  test("a form that is none, files, and too many fields", async () => {
    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    for (const raw of ["nothing", "--x\r\n", `--x\r\n${"a".repeat(100_000)}`]) {
      expect((await post({ raw, headers: multipart }, "v3")).status).toBe(400);
    }
    const none = { "content-type": "multipart/form-data" };
    expect((await post({ raw: "--x--", headers: none }, "v3")).status).toBe(400);
    const form = new FormData();
    form.set("alias", new File(["a"], "a.txt"));
    expect((await post({ raw: form }, "v3")).body.errors).toEqual({
      alias: ["a file is not a value here: send the field as text"],
    });
    const many = "a=1&".repeat(LIMITS.formFieldsMax + 1);
    const { status, body } = await post({ raw: many, headers: urlencoded }, "v3");
    expect([status, body.error]).toEqual([400, expect.stringContaining("too many fields")]);
  });
});
