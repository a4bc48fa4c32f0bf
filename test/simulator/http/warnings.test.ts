/** `?warnings=true` on saving an alias or a rule, in both versions. */
import { beforeEach, expect, test } from "vitest";
import { type Answer, type Fields, openSite, type Site } from "./fixture.ts";

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
const send = (method: string, path: string, json: Fields): Promise<Answer> =>
  site.send(method, path, { json });

const NEVER = {
  type: "regex",
  config: { regex: "@Dest.test$", scopes: ["sender"], forward: "a@dest.test" },
};

test.each(["v4", "v3"])(
  "%s tells of a rule what cannot have been meant, when asked",
  async (version) => {
    const path = `/${version}/domains/own.test/rules`;
    const plain = await send("POST", path, NEVER);
    expect(plain.body).not.toHaveProperty("warnings");
    const { body } = await send("POST", `${path}?warnings=true`, NEVER);
    const warnings = body.warnings as { code: string; field: string }[];
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "pattern/capital-letters", field: "config.regex" }),
    );
    const { id } = body.rule as { id: string };
    const mended = { ...NEVER.config, regex: "@dest\\.test$" };
    const changed = await send("PUT", `${path}/${id}?warnings=true`, { config: mended });
    expect(changed.status).toBe(200);
    const left = changed.body.warnings as { code: string }[];
    expect(left.map(({ code }) => code)).not.toContain("pattern/capital-letters");
  },
);

test.each(["v4", "v3"])("%s tells of an alias, too, and of that one alone", async (version) => {
  const path = `/${version}/domains/own.test/aliases`;
  const twice = { alias: "desk", forward: "a@dest.test, A@dest.test" };
  const { body } = await send("POST", `${path}?warnings=true`, twice);
  expect(body.warnings).toEqual([
    { code: "destination/duplicate", message: expect.stringContaining("twice"), field: "forward" },
  ]);
  const { id } = body.alias as { id: string | number };
  const { body: mended } = await send("PUT", `${path}/${id}?warnings=true`, {
    forward: "a@dest.test",
  });
  expect(mended.warnings).toEqual([]);
  const { status } = await send("POST", `${path}?warnings=perhaps`, { ...twice, alias: "other" });
  expect(status).toBe(400);
});
