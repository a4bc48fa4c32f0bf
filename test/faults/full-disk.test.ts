/** A disk that is full for a while, with a real process on a real file system. */
import { expect, test } from "vitest";
import { fullDiskSuite, mountRefusal } from "../../bench/faults/full-disk.ts";

const refusal = mountRefusal();
if (refusal !== null) console.warn(`skipped: ${refusal}`);

test.skipIf(refusal !== null)(
  "`--data` on a full disk: 451 and 503, nothing acknowledged is lost, and the data opens again",
  { timeout: 300_000 },
  async () => {
    const report = await fullDiskSuite();
    expect(report).toMatchObject({ lost: 0, unfinished: 0, apiStatus: 503 });
    expect(Object.keys(report.answersWhileFull)).toEqual(["451"]);
    expect(report.apiMessage).toContain("unavailable");
  },
);
