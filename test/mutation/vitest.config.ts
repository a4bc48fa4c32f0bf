/** The tests that a mutation is held against: those of its folder that end within seconds. */
import { defineConfig } from "vitest/config";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  routing: [
    "test/engine/routing",
    "test/golden",
    "test/engine/plan/traps.test.ts",
    "test/cli/commands/check-hints.test.ts",
  ],
  cel: ["test/engine/cel"],
  pattern: ["test/engine/pattern", "test/contract/pattern-engine.test.ts"],
};

const tests = TESTS[process.env.MUTATE ?? "routing"] ?? [];

const config: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    include: tests.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.test.ts`)),
    testTimeout: 60_000,
  },
});
export default config;
