/** The plan answers what the plain walk answers on every golden case, at every stage. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { headerFacts, messageFacts, toFacts } from "../../../src/message/index.ts";
import { DEFAULT_REVERSE_PATH, readGoldenCases } from "../../golden/golden-case.ts";
import { expectPlanEqualsWalk, expectWaysAgree } from "./ways.ts";
import { compiled } from "./worlds.ts";

const ROOT = fileURLToPath(new URL("../../../corpus/golden", import.meta.url));

test("all golden cases whose domain has rules", async () => {
  let compared = 0;
  for (const { domain: config, message: bytes, expected, family, name } of readGoldenCases(ROOT)) {
    const domain = compiled(config);
    if (domain.engine !== "rules") continue;
    const sender = expected.envelope?.sender ?? DEFAULT_REVERSE_PATH;
    const [header, message] = [await headerFacts(bytes), await messageFacts(bytes)];
    for (const recipient of Object.keys(expected.recipients)) {
      const envelope = { recipient, sender };
      for (const facts of [
        toFacts(envelope),
        toFacts(envelope, header),
        toFacts(envelope, message),
      ]) {
        compared++;
        const resolution = expectPlanEqualsWalk(domain, facts);
        expect(expectWaysAgree(domain, facts), `${family}/${name}`).toEqual(resolution);
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
});
