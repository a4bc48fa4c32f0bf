import { describe } from "vitest";
import { createRe2WasmEngine } from "../../src/engine/pattern/engines/re2-wasm-engine.ts";
import { patternEngineContract, patternEnginesAgree } from "./pattern-engine.ts";

describe("mailflow's own", () => patternEngineContract(() => null));
describe("re2-wasm", () => patternEngineContract(createRe2WasmEngine));
patternEnginesAgree(null, createRe2WasmEngine());
