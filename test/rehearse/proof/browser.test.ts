/** The proofs run in a browser: they load nothing of Node, and share the thread. */
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { compareAll } from "../../../src/rehearse/proof/compare-all.ts";
import { browserBundle } from "../../browser-bundle.ts";
import { rehearsed } from "../demo.ts";
import { realisticConfig } from "./realistic-rules.ts";

const SOURCE = `
  export { rehearse } from "./rehearse/rehearsed-domain.ts";
  export { prove, witness } from "./rehearse/proof/prove.ts";
  export { compareAll } from "./rehearse/proof/compare-all.ts";
`;

const DOMAIN = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "f@else.test",
  rules: [
    {
      id: "a",
      type: "regex",
      config: { regex: "(?i)order", scopes: ["subject"], forward: "a@x.test" },
    },
    {
      id: "b",
      type: "cel",
      config: { expression: 'subject.contains("order")', forward: "b@x.test" },
    },
  ],
};

test("prove, witness and compareAll answer where there is no Node at all", async () => {
  const { text, external } = await browserBundle(SOURCE);
  expect(external).toEqual([]);
  const world = { URL, TextEncoder, TextDecoder, performance, setTimeout, atob, btoa };
  const script = `${text};
    (async () => {
      const { rehearsed } = mailflow.rehearse(${JSON.stringify(DOMAIN)});
      const proofs = await mailflow.prove(rehearsed);
      const found = await mailflow.witness(rehearsed, { kind: "rule", id: "a" });
      const { verdict } = await mailflow.compareAll(rehearsed, rehearsed);
      return JSON.stringify([proofs.map((proof) => proof.verdict), found.kind, verdict]);
    })()`;
  const answered = await (runInNewContext(script, world) as Promise<string>);
  expect(JSON.parse(answered)).toEqual([["refuted", "proved", "refuted"], "message", "equal"]);
});

test("others have their turn while a comparison runs, and can end it", async () => {
  const [old, changed] = [realisticConfig(2, 30), realisticConfig(7, 30)].map(rehearsed);
  let turns = 0;
  const ending = new AbortController();
  const timer = setInterval(() => {
    if (++turns === 3) ending.abort(new Error("enough"));
  }, 0);
  const options = { sliceMs: 1, signal: ending.signal };
  await expect(compareAll(old!, changed!, options)).rejects.toThrow("enough");
  clearInterval(timer);
  expect(turns).toBe(3);
});
