import { describe } from "vitest";
import { createRe2WasmEngine } from "../../src/engine/pattern/engines/re2-wasm-engine.ts";
import { re2jsEngine } from "../../src/engine/pattern/engines/re2js-engine.ts";
import { patternEngineContract, patternEnginesAgree } from "./pattern-engine.ts";

describe("re2js", () => patternEngineContract(() => re2jsEngine));
describe("re2-wasm", () => patternEngineContract(createRe2WasmEngine));
patternEnginesAgree(re2jsEngine, createRe2WasmEngine());
