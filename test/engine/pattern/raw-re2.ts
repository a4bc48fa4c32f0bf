/** RE2 as its package has it, for comparisons with what the engine makes of it. */
import { createRequire } from "node:module";

export interface RawRe2 {
  readonly WrappedRE2: new (
    source: string,
    ignoreCase: boolean,
    multiline: boolean,
    dotAll: boolean,
  ) => {
    ok(): boolean;
    match(text: string, start: number, withGroups: boolean): RawMatch;
    delete(): void;
  };
}

interface RawMatch {
  readonly match: string;
  readonly index: number;
  readonly groups: readonly (string | undefined)[];
}

const require = createRequire(import.meta.url);

export const rawRe2: RawRe2 = require("re2-wasm/build/wasm/re2.js");
