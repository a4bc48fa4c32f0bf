import { describe, expect, test } from "vitest";
import {
  checkCredential,
  createCredential,
  deleteCredential,
  listCredentials,
  updateCredential,
} from "../../../../src/simulator/model/sending/credentials.ts";
import { ALL, exampleFixture, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const DOMAIN = "example.com";
const PASSWORD = "correct horse";

describe("a credential", () => {
  test("is created once, the first of its domain asking for a new DNS check", async () => {
    const { service } = await exampleFixture();
    const first = await createCredential(service, DOMAIN, {
      username: "Sales",
      password: PASSWORD,
    });
    expect(first).toEqual({
      requiresNewMxCheck: true,
      row: {
        key: "example.com/sales",
        domain: DOMAIN,
        username: "sales",
        passwordHash: expect.stringMatching(/^[0-9a-f]{32}:[0-9a-f]{64}$/),
        usage: 0,
        createdMs: START_MS,
      },
    });
    const second = await createCredential(service, DOMAIN, {
      username: "info",
      password: PASSWORD,
    });
    expect(second.requiresNewMxCheck).toBe(false);
    expect(second.row.passwordHash).not.toBe(first.row.passwordHash);
    const { rows, total } = await listCredentials(service, DOMAIN, { limit: 1, offset: 1 });
    expect([rows, total]).toEqual([[first.row], 2]);
    const problem = await problemOf(service, () =>
      createCredential(service, DOMAIN, { username: "SALES", password: PASSWORD }),
    );
    expect(problem.errors.username?.[0]).toMatch(/^`sales` already has a credential/);
  });

  test.each<[object, string[]]>([
    [{}, ["username", "password"]],
    [{ username: "", password: PASSWORD }, ["username"]],
    [{ username: "a@example.com", password: PASSWORD }, ["username"]],
    [{ username: "*", password: PASSWORD }, ["username"]],
    [{ username: '"a b"', password: PASSWORD }, ["username"]],
    [{ username: "x".repeat(65), password: PASSWORD }, ["username"]],
    [{ username: "a", password: 12345678 }, ["password"]],
    [{ username: "a", password: "x".repeat(7) }, ["password"]],
    [{ username: "a", password: "x".repeat(257) }, ["password"]],
  ])("refuses %j (credential-username, password-length)", async (input, fields) => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => createCredential(service, DOMAIN, input));
    expect([problem.status, Object.keys(problem.errors)]).toEqual([400, fields]);
  });

  test.each([8, 256])("takes a password of %i characters (password-length)", async (length) => {
    const { service } = await exampleFixture();
    const input = { username: "a", password: "x".repeat(length) };
    expect((await createCredential(service, DOMAIN, input)).row.username).toBe("a");
  });

  test("is needed to change its password or delete it", async () => {
    const { service } = await exampleFixture();
    for (const work of [
      () => updateCredential(service, DOMAIN, "sales", { password: PASSWORD }),
      () => deleteCredential(service, DOMAIN, "sales"),
    ]) {
      const problem = await problemOf(service, work);
      expect([problem.status, problem.message]).toEqual([404, "credential not found"]);
    }
    await createCredential(service, DOMAIN, { username: "sales", password: PASSWORD });
    const short = await problemOf(service, () =>
      updateCredential(service, DOMAIN, "sales", { password: "short" }),
    );
    expect(Object.keys(short.errors)).toEqual(["password"]);
    await deleteCredential(service, DOMAIN, "SALES");
    expect((await listCredentials(service, DOMAIN, ALL)).total).toBe(0);
  });
});

describe("signing in", () => {
  const world = {
    domains: [{ domain: DOMAIN, credentials: [{ username: "sales", password: PASSWORD }] }],
  };

  test("with the right password counts as a use, in any case of the name (credential-usage)", async () => {
    const { service } = await fixtureOf(world);
    expect((await checkCredential(service, "sales@example.com", PASSWORD))?.usage).toBe(1);
    expect((await checkCredential(service, "Sales@EXAMPLE.com", PASSWORD))?.usage).toBe(2);
    const { rows } = await listCredentials(service, DOMAIN, ALL);
    expect(rows[0]?.usage).toBe(2);
  });

  test.each([
    ["sales@example.com", "wrong horse"],
    ["sales@example.com", ""],
    ["sales@example.com", `${PASSWORD}\u0000`],
    ["info@example.com", PASSWORD],
    ["sales@other.example", PASSWORD],
    ["sales", PASSWORD],
    ["", ""],
  ])("as %j with %j is refused, and counts nothing", async (login, password) => {
    const { service } = await fixtureOf(world);
    expect(await checkCredential(service, login, password)).toBeNull();
    expect((await listCredentials(service, DOMAIN, ALL)).rows[0]?.usage).toBe(0);
  });

  test("takes the new password only, once it has been changed", async () => {
    const { service } = await fixtureOf(world);
    await updateCredential(service, DOMAIN, "sales", { password: "another one" });
    expect(await checkCredential(service, "sales@example.com", PASSWORD)).toBeNull();
    expect(await checkCredential(service, "sales@example.com", "another one")).not.toBeNull();
  });

  test("fails when the credential goes while its password is compared", async () => {
    const { service } = await fixtureOf(world);
    const checking = checkCredential(service, "sales@example.com", PASSWORD);
    await deleteCredential(service, DOMAIN, "sales");
    expect(await checking).toBeNull();
  });

  test("of two at a time counts both", async () => {
    const { service } = await fixtureOf(world);
    await Promise.all([1, 2, 3].map(() => checkCredential(service, "sales@example.com", PASSWORD)));
    expect((await listCredentials(service, DOMAIN, ALL)).rows[0]?.usage).toBe(3);
  });
});
