/** The collector, for tests of what is held: they need not be started with a flag. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
export const collectGarbage: () => void = runInNewContext("gc");
