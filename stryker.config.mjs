/** `npm run mutate`: changes the engine's source in small ways, and sees whether a test notices. Takes an hour a folder. */

/** The folder of the engine that is changed: `routing`, `pattern` or `cel`. */
const folder = process.env.MUTATE ?? "routing";

export default {
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  mutate: [`src/engine/${folder}/**/*.ts`],
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: `.stryker-tmp/${folder}.json`,
  tempDirName: ".stryker-tmp/sandbox",
  reporters: ["clear-text", "json", "progress-append-only"],
  jsonReporter: { fileName: `.stryker-tmp/${folder}-report.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
