/** Lists of both versions: pages, defaults, maxima, order, filters (API v4 §4, §8; v3 §4, §8). */
import { describe, expect, test } from "vitest";
import {
  type Answer,
  addDomain,
  aliasRule,
  type Client,
  client,
  type Fields,
  succeeded,
  type Version,
  WINDOW_MS,
  withQuery,
} from "./fixtures.ts";
import { absence, openSimulator, type Simulator } from "./simulator-port.ts";

const DOMAIN = "/domains/own.test";

interface Listing {
  readonly version: Version;
  readonly path: string;
  /** The field that holds the entries, and the one by which an entry is known. */
  readonly field: "domains" | "aliases" | "rules" | "credentials";
  readonly key: "domain" | "alias" | "id" | "username";
  readonly standard: number;
  readonly max: number;
  /** `silent`: the text shows neither `limit`, `page` nor `total` in the answer. */
  readonly echo: "echoed" | "silent";
}

const listing = (
  version: Version,
  field: Listing["field"],
  key: Listing["key"],
  standard: number,
  max: number,
): Listing => ({
  version,
  path: field === "domains" ? "/domains" : `${DOMAIN}/${field}`,
  field,
  key,
  standard,
  max,
  echo: version === "v3" && field === "credentials" ? "silent" : "echoed",
});

const LISTINGS: readonly Listing[] = [
  listing("v4", "domains", "domain", 20, 200),
  listing("v4", "aliases", "alias", 20, 200),
  listing("v4", "rules", "id", 20, 200),
  listing("v4", "credentials", "username", 20, 200),
  listing("v3", "domains", "domain", 50, 100),
  listing("v3", "aliases", "alias", 20, 100),
  listing("v3", "rules", "id", 100, 100),
  listing("v3", "credentials", "username", 20, 200),
];

const named = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `n${String(index).padStart(3, "0")}`);

/** Runs `work` for each item, in windows of 100 requests. */
async function each<Item>(
  simulator: Simulator,
  items: readonly Item[],
  work: (item: Item) => Promise<Answer<unknown>>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % 100 === 0) await simulator.clock.advance(WINDOW_MS);
    succeeded(await work(item));
  }
}

/** Brings the list to `max + 1` entries. */
async function fill(simulator: Simulator, { field, max }: Listing): Promise<void> {
  const v4 = client(simulator, "v4");
  const names = named(max + 1);
  const aliases = names.map((alias) => ({ alias, forward: `${alias}@dest.test` }));
  if (field === "domains") {
    const rest = names.slice(1);
    return each(simulator, rest, (name) => v4.post("/domains", { domain: `${name}.test` }));
  }
  if (field === "rules") {
    const rules = names.map((name) => aliasRule(name));
    return void succeeded(await v4.post(`${DOMAIN}/rules/batch`, { rules }));
  }
  succeeded(await v4.post(`${DOMAIN}/aliases/batch`, { aliases }));
  if (field === "credentials") {
    await each(simulator, names, (username) =>
      v4.post(`${DOMAIN}/credentials`, { username, password: "s3cret-enough" }),
    );
  }
}

const WHY = absence === null ? "" : ` (skipped: ${absence})`;

describe.skipIf(absence !== null)(`pages${WHY}`, () => {
  test.each(LISTINGS)("$version $field: default $standard, at most $max", async (of) => {
    const simulator = await openSimulator();
    await addDomain(simulator, "own.test");
    await fill(simulator, of);
    await simulator.clock.advance(WINDOW_MS);
    const api = client(simulator, of.version);
    const total = of.max + 1;
    const ask = async (query: Record<string, string>): Promise<unknown[]> => {
      const body = succeeded(await api.get(withQuery(of.path, query)));
      if (of.echo === "echoed") {
        const { limit = of.standard, page = 1 } = query;
        expect(body).toMatchObject({ limit: Number(limit), page: Number(page), total });
      }
      return (body[of.field] as Fields[]).map((entry) => entry[of.key]);
    };
    const first = await ask({});
    expect(first).toHaveLength(of.standard);
    expect(await ask({ page: "1", limit: String(of.standard) })).toEqual(first);
    const largest = await ask({ limit: String(of.max) });
    expect(largest).toHaveLength(of.max);
    expect(largest.slice(0, of.standard)).toEqual(first);
    expect(await ask({ limit: String(of.max), page: "2" })).toHaveLength(1);
    expect(await ask({ limit: String(of.max), page: "3" })).toEqual([]);
    const walked: unknown[] = [];
    for (let page = 1; page <= Math.ceil(total / 30); page++) {
      walked.push(...(await ask({ limit: "30", page: String(page) })));
    }
    expect(walked.slice(0, of.max)).toEqual(largest);
    expect(new Set(walked).size).toBe(total);
    await simulator.close();
  });
});

async function keys(api: Client, path: string, field: string, key: string): Promise<unknown[]> {
  const body = succeeded(await api.get(path));
  const entries = (body[field] as Fields[]).map((entry) => entry[key]);
  if (body.total !== undefined) expect(body.total).toBe(entries.length);
  return entries;
}

describe.skipIf(absence !== null)(`domains: order and filters${WHY}`, () => {
  async function open(): Promise<Simulator> {
    const simulator = await openSimulator();
    const v4 = client(simulator, "v4");
    for (const body of [
      { domain: "bee.test", whitelabel: "brand.test" },
      { domain: "ant.test" },
      { domain: "cow.test", whitelabel: "brand.test.other" },
    ]) {
      succeeded(await v4.post("/domains", body));
      await simulator.clock.advance(2_000);
    }
    succeeded(await v4.post("/domains/cow.test/verify"));
    return simulator;
  }

  const CASES: readonly [version: Version, query: string, names: string][] = [
    ["v4", "", "ant bee cow"],
    ["v4", "order=name_asc", "ant bee cow"],
    ["v4", "order=name_desc", "cow bee ant"],
    ["v4", "order=created_asc", "bee ant cow"],
    ["v4", "order=created_desc", "cow ant bee"],
    ["v4", "query=ee.t", "bee"],
    ["v4", "query=nowhere", ""],
    ["v4", "whitelabel=brand.test", "bee"],
    ["v4", "whitelabel=brand", ""],
    ["v4", "whitelabel=null", "ant"],
    ["v4", "whitelabel=null&query=bee", ""],
    ["v4", "query=.test&order=name_desc&limit=200", "cow bee ant"],
    ["v3", "q=ee.t", "bee"],
    ["v3", "q=nowhere", ""],
    ["v3", "q=ee.t&limit=100&page=1", "bee"],
  ];
  test.each(CASES)("%s ?%s → %s", async (version, query, names) => {
    const simulator = await open();
    const found = await keys(client(simulator, version), `/domains?${query}`, "domains", "domain");
    expect(found.join(" ")).toBe(names.replace(/\w+/g, "$&.test"));
    await simulator.close();
  });

  const SPLITS: readonly [version: Version, name: string, field: string, values: unknown[][]][] = [
    [
      "v4",
      "forwarding_ready",
      "forwarding_ready",
      [
        ["true", true],
        ["false", false],
      ],
    ],
    [
      "v4",
      "send_ready",
      "send_ready",
      [
        ["true", true],
        ["false", false],
      ],
    ],
    [
      "v4",
      "routing_engine",
      "routing_engine",
      [
        ["alias", "alias"],
        ["rules", "rules"],
        ["null", null],
      ],
    ],
    [
      "v3",
      "is_active",
      "active",
      [
        ["1", true],
        ["0", false],
      ],
    ],
  ];
  test.each(SPLITS)("%s %s finds what the field says", async (version, name, field, values) => {
    const simulator = await open();
    const api = client(simulator, version);
    const all = succeeded(await api.get<{ domains: Fields[] }>("/domains")).domains;
    for (const [asked, value] of values) {
      const found = await keys(api, `/domains?${name}=${asked}`, "domains", "domain");
      const wanted = all.filter((each) => each[field] === value).map((each) => each.domain);
      expect(found).toEqual(wanted);
    }
    await simulator.close();
  });
});

describe.skipIf(absence !== null)(`aliases and rules: order and filters${WHY}`, () => {
  const CASES: readonly [version: Version, list: string, query: string, names: string][] = [
    ["v4", "aliases", "", "alpha beta gamma"],
    ["v4", "aliases", "order=name_asc", "alpha beta gamma"],
    ["v4", "aliases", "order=name_desc", "gamma beta alpha"],
    ["v4", "aliases", "order=created_asc", "beta gamma alpha"],
    ["v4", "aliases", "order=created_desc", "alpha gamma beta"],
    ["v4", "aliases", "query=et", "beta"],
    ["v4", "aliases", "query=hidden", "gamma"],
    ["v4", "aliases", "query=nowhere", ""],
    ["v3", "aliases", "q=et", "beta"],
    ["v3", "aliases", "alias=ga", "gamma"],
    ["v3", "aliases", "alias=am", ""],
    ["v4", "rules", "", "one two three"],
    ["v4", "rules", "order=rank_asc", "one two three"],
    ["v4", "rules", "order=rank_desc", "three two one"],
    ["v4", "rules", "order=created_asc", "two three one"],
    ["v4", "rules", "order=created_desc", "one three two"],
    ["v4", "rules", "query=thre", "three"],
    ["v4", "rules", "query=nowhere", ""],
    ["v3", "rules", "search=thre", "three"],
    ["v3", "rules", "search=nowhere", ""],
  ];
  test.each(CASES)("%s %s ?%s → %s", async (version, list, query, names) => {
    const simulator = await openSimulator();
    await addDomain(simulator, "own.test");
    const v4 = client(simulator, "v4");
    for (const alias of ["beta", "gamma", "alpha"]) {
      const forward = alias === "gamma" ? "me@hidden.test" : "me@dest.test";
      succeeded(await v4.post(`${DOMAIN}/aliases`, { alias, forward }));
      await simulator.clock.advance(2_000);
    }
    for (const [alias, rank] of [
      ["two", 2],
      ["three", 2.5],
      ["one", 1],
    ] as const) {
      succeeded(await v4.post(`${DOMAIN}/rules`, aliasRule(alias, { rank })));
      await simulator.clock.advance(2_000);
    }
    const path = `${DOMAIN}/${list}?${query}`;
    const api = client(simulator, version);
    const found =
      list === "aliases"
        ? await keys(api, path, "aliases", "alias")
        : (await keys(api, path, "rules", "config")).map((config) => (config as Fields).alias);
    expect(found.join(" ")).toBe(names);
    await simulator.close();
  });
});
