/** What rules see of a message, and which facts are refused. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { userOf, viewMessage } from "../../../src/engine/routing/message-view.ts";

describe("a recipient", () => {
  test.each([
    ["Info@own.test", "info"],
    ['"a@b"@own.test', '"a@b"'],
    ["info", "info"],
    ["@own.test", ""],
    ["", ""],
  ])("`%s` has the local part `%s`", (recipient, localPart) => {
    expect(viewMessage({ recipient }).localPart).toBe(localPart);
  });

  test.each([
    ["info+shop", "info"],
    ["info+a+b", "info"],
    ["info+", "info"],
    ["+shop", null],
    ["info", null],
    ["", null],
  ])("of the local part `%s` has the user %j", (localPart, user) => {
    expect(userOf(localPart)).toBe(user);
  });
});

test("texts are cut at their limits, and well-formed where the cut parts a surrogate pair", () => {
  const { addressUnitsMax, factUnitsMax } = LIMITS;
  const textOf = (units: number): string => `${"x".repeat(units - 1)}😀`;
  const [address, text] = [textOf(addressUnitsMax), textOf(factUnitsMax)];
  const seen = viewMessage({ recipient: address, sender: address, subject: text, body: text });
  const [cutAddress, cutText] = [address, text].map((each) => `${each.slice(0, -2)}\ufffd`);
  for (const time of ["first", "again"]) {
    const { recipient, sender, subject, body } = seen;
    expect({ time, recipient, sender }).toEqual({
      time,
      recipient: cutAddress,
      sender: cutAddress,
    });
    expect([subject === cutText, body === cutText]).toEqual([true, true]);
  }
  expect(seen.searchedBody === text.slice(0, factUnitsMax)).toBe(true);
});

describe("a fact of the wrong type is refused by its name", () => {
  const attachment = { filename: "a.pdf", contentType: "application/pdf", size: 9 };
  const one = "an object with `filename`, `contentType` and `size`";
  const list = `an array, of each attachment ${one}`;
  const map = "a `Map` of field names in lower case to lists of values";
  test.each<[string, unknown, string, string]>([
    ...["recipient", "sender", "subject", "body"].flatMap(
      (name): [string, unknown, string, string][] => [
        [name, null, "null", "a string"],
        [name, ["a"], "an array", "a string"],
        [name, 7, "a number", "a string"],
      ],
    ),
    ...["7", null].map((size): [string, unknown, string, string] => [
      "size",
      size,
      size === null ? "null" : `a ${typeof size}`,
      "a whole number of octets",
    ]),
    ...[Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 53, -1].map(
      (size): [string, unknown, string, string] => [
        "size",
        size,
        `${size}`,
        "a whole number of octets",
      ],
    ),
    ["attachments", {}, "an object", list],
    ["headers", {}, "an object", map],
    ["headers", null, "null", map],
    ["headers", Object.create(Map.prototype), "an object", map],
  ])("%s: %j", (name, value, shown, wanted) => {
    expect(() => viewMessage({ [name]: value })).toThrow(
      new TypeError(`\`${name}\` is ${shown}: give ${wanted}, or leave it out while it is unknown`),
    );
  });

  test.each<[unknown[], string]>([
    [[null], `\`attachments[0]\` is null: give ${one}`],
    [[attachment, 7], `\`attachments[1]\` is a number: give ${one}`],
    // biome-ignore lint/suspicious/noSparseArray: it is what is refused
    [[, attachment], `\`attachments[0]\` is undefined: give ${one}`],
    [[attachment, {}], "`attachments[1].filename` is undefined: give a string"],
    [
      [{ ...attachment, contentType: 7 }],
      "`attachments[0].contentType` is a number: give a string",
    ],
    [
      [{ ...attachment, size: undefined }],
      "`attachments[0].size` is undefined: give a whole number of octets",
    ],
    [[{ ...attachment, size: -1 }], "`attachments[0].size` is -1: give a whole number of octets"],
  ])("attachments: %j", (attachments, message) => {
    expect(() => viewMessage({ attachments } as never)).toThrow(new TypeError(message));
  });

  test.each<[unknown, string]>([
    [null, "null"],
    [undefined, "undefined"],
    ["a@own.test", "a string"],
    [[], "a list or a map"],
    [new Map([["recipient", "a@own.test"]]), "a list or a map"],
    [Promise.resolve({}), "a Promise"],
  ])("and so are facts that are none: %o", (facts, shown) => {
    expect(() => viewMessage(facts as never)).toThrow(
      new TypeError(
        `the facts are ${shown}: give an object such as \`{ recipient, sender, subject }\``,
      ),
    );
  });

  test("and others are taken", () => {
    const view = viewMessage({ attachments: [attachment], size: 0 });
    expect([view.attachments, view.size]).toEqual([[attachment], 0]);
    expect(viewMessage({}).headers).toBeUndefined();
  });
});

const attachmentOf = (filename: string) => ({ filename, contentType: "a/b", size: 1 });

describe("headers", () => {
  test("may be a map of another realm", () => {
    const headers = runInNewContext('new Map([["list-id", ["<x>"]]])') as Facts["headers"];
    expect(viewMessage({ headers }).headers?.get("list-id")?.[0]).toBe("<x>");
  });

  test.each<[string, string, unknown, string]>([
    ["a text, as a parsed message may hold it", "list-id", "<x>", "a string for `list-id`"],
    ["a date", "date", new Date(0), "a Date for `date`"],
    ["nothing", "x", null, "null for `x`"],
    ["no value", "x", undefined, "undefined for `x`"],
    ["a list of numbers", "x", [5], "an array of other values than strings for `x`"],
    [
      "a list that holds a list",
      "x",
      ["a", ["b"]],
      "an array of other values than strings for `x`",
    ],
  ])("that hold %s are refused", (_, name, values, shown) => {
    const good: [string, unknown] = ["subject", ["a", "b"]];
    const headers = new Map([good, [name, values]]) as Facts["headers"];
    const wanted = "give a `Map` of field names in lower case to lists of values, each a string";
    expect(() => viewMessage({ headers })).toThrow(
      new TypeError(`\`headers\` has ${shown}: ${wanted}`),
    );
  });

  test.each([[1n], [null], [undefined], [Symbol("x")], [5]])(
    "whose name is %o are refused",
    (name) => {
      const headers = new Map([[name as never, ["a"]]]) as Facts["headers"];
      const shown = name === null || name === undefined ? String(name) : `a ${typeof name}`;
      expect(() => viewMessage({ headers })).toThrow(
        new TypeError(
          `\`headers\` has ${shown} for a field name: give a \`Map\` of field names in lower case to lists of values, each a string`,
        ),
      );
    },
  );

  test("are well-formed, as are the names of attachments: a host may give any text", () => {
    const raw = "a\ud800";
    const attachments = [{ filename: raw, contentType: raw, size: 1 }];
    const headers = new Map([
      ["subject", ["b", raw]],
      ["x\ud800", ["1"]],
      ["x\udc00", ["2"]],
    ]);
    const view = viewMessage({ subject: raw, headers, attachments });
    expect(view.headers).toEqual(
      new Map([
        ["subject", ["b", view.subject]],
        ["x\ufffd", ["1", "2"]],
      ]),
    );
    expect(view.headers).toBe(view.headers);
    expect(view.attachments).toEqual([{ filename: "a\ufffd", contentType: "a\ufffd", size: 1 }]);
    const plain = { headers: new Map([["x", ["é€😀"]]]), attachments: [attachmentOf("😀")] };
    expect(viewMessage(plain).headers).toBe(plain.headers);
    expect(viewMessage(plain).attachments).toBe(plain.attachments);
  });

  test("behind a getter are read, and checked, when they are first wanted, and once", () => {
    let reads = 0;
    const view = viewMessage({
      get headers() {
        reads++;
        return new Map();
      },
    });
    expect(reads).toBe(0);
    expect(view.headers).toBe(view.headers);
    expect(reads).toBe(1);
    const wrong = viewMessage({
      get headers() {
        return {} as never;
      },
    });
    expect(() => wrong.headers).toThrow("`headers` is an object");
  });
});
