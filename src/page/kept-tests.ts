/** Where the tests of a domain are kept: in the suite beside the file that `mailflow play` was given, else in this browser. */
import type { RuleTest } from "../rehearse/test/test-suite.ts";
import { type KeptTest, type PageTest, readKeptTests, testFile } from "./model/rule-tests.ts";
import { outlivesPage } from "./service/client.ts";

export type TestChange =
  | { readonly kind: "add"; readonly test: RuleTest }
  | { readonly kind: "drop"; readonly name: string };

export interface TestKeeper {
  /** Where the tests are, in words for a person. */
  readonly testsPlace: string;
  /** `all`: the tests after the change. Rejects with a message for the person. */
  keepTest(change: TestChange, all: readonly PageTest[], domain: string): Promise<void>;
}

const keyOf = (domain: string): string => `mailflow-tests-${domain}`;

export const IN_BROWSER: TestKeeper = {
  testsPlace: "this browser",
  async keepTest(_change, all, domain) {
    if (all.length === 0) localStorage.removeItem(keyOf(domain));
    else localStorage.setItem(keyOf(domain), testFile(`${domain}.json`, all));
  },
};

/** The tests that this browser keeps for a domain; none if they cannot be read. */
export function testsInBrowser(domain: string): readonly PageTest[] {
  try {
    const text = localStorage.getItem(keyOf(domain));
    const tests = text === null ? [] : (JSON.parse(text) as { tests: readonly RuleTest[] }).tests;
    return readKeptTests(
      tests.map((test): KeptTest => ({ test })),
      domain,
    );
  } catch {
    return [];
  }
}

export function inSuite(file: string): TestKeeper {
  return {
    testsPlace: file,
    async keepTest(change) {
      const isAdded = change.kind === "add";
      const path = isAdded ? "play/tests" : `play/tests?name=${encodeURIComponent(change.name)}`;
      const body = isAdded ? JSON.stringify(change.test) : null;
      const method = isAdded ? "POST" : "DELETE";
      const response = await fetch(path, { method, body, keepalive: outlivesPage(body) });
      if (!response.ok) throw new Error(await response.text());
    },
  };
}
