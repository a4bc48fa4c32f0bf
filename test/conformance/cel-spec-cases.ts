/** The cases of the cel-spec conformance suite that need no protobuf messages, and one run of each. */
import type { SimpleTest } from "@bufbuild/cel-spec/cel/expr/conformance/test/simple_pb.js";
import { getConformanceSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import { compileProgram } from "../../src/engine/cel/compile-program.ts";
import type { Variable } from "../../src/engine/cel/run/compile-tree.ts";
import { renderResult } from "../../src/engine/cel/values/render-value.ts";
import { type CelType, DYN } from "../../src/engine/cel/values/type.ts";
import { CelError, type Value } from "../../src/engine/cel/values/value.ts";
import { isSame, specType, specValue } from "./cel-spec-values.ts";

/** Suites left out whole, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  proto2: "protobuf messages",
  proto2_ext: "protobuf extensions",
  proto3: "protobuf messages",
  dynamic: "protobuf wrapper messages",
  enums: "protobuf enums",
  wrappers: "protobuf wrapper messages",
  unknowns: "holds no case",
  type_deductions: "compares types of checked trees, not results",
  block_ext: "cel.block is written by optimisers, not by people",
  encoders_ext: "the base64 extension is not offered",
  math_ext: "the math extension is not offered",
  network_ext: "the network extension is not offered",
};

export interface SpecCase {
  /** `suite/section/name`. */
  readonly id: string;
  readonly suite: string;
  readonly test: SimpleTest;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly bindings: ReadonlyMap<string, Value>;
  /** `null`: an error is expected. */
  readonly expected: { readonly value: Value } | null;
}

/** A message of the test data, of a well-known type, or an enum; timestamps and durations are values of CEL. */
const MESSAGES =
  /\b[A-Z]\w*\s*\{|TestAllTypes|GlobalEnum|NestedEnum|google\.protobuf\.(?!Timestamp\b|Duration\b)/;

/** The case as ours, `null` if it needs protobuf (in its expression, its bindings, its types or its result). */
function readCase(suite: string, section: string, test: SimpleTest): SpecCase | null {
  if (MESSAGES.test(test.expr)) return null;
  const { resultMatcher } = test;
  try {
    const variables = new Map<string, CelType>();
    for (const { name, declKind } of test.typeEnv) {
      if (declKind.case === "ident") variables.set(name, specType(declKind.value.type!));
    }
    const bindings = new Map<string, Value>();
    for (const [name, { kind }] of Object.entries(test.bindings)) {
      if (kind.case !== "value") return null;
      bindings.set(name, specValue(kind.value));
      if (!variables.has(name)) variables.set(name, DYN);
    }
    let expected: SpecCase["expected"] = { value: true };
    if (resultMatcher.case === "value") expected = { value: specValue(resultMatcher.value) };
    else if (resultMatcher.case === "typedResult") {
      if (resultMatcher.value.result === undefined) return null;
      expected = { value: specValue(resultMatcher.value.result) };
    } else if (resultMatcher.case !== undefined) expected = null;
    return { id: `${suite}/${section}/${test.name}`, suite, test, variables, bindings, expected };
  } catch {
    return null;
  }
}

/** Every case that needs no protobuf, in the order of the data; a repeated id gets a number. */
export function readCases(): readonly SpecCase[] {
  const cases: SpecCase[] = [];
  const seen = new Map<string, number>();
  for (const file of getConformanceSuite().suites) {
    if (Object.hasOwn(LEFT_OUT, file.name)) continue;
    for (const section of file.suites) {
      for (const { original } of section.tests) {
        const found = readCase(file.name, section.name, original);
        if (found === null) continue;
        const count = (seen.get(found.id) ?? 0) + 1;
        seen.set(found.id, count);
        cases.push(count === 1 ? found : { ...found, id: `${found.id}#${count}` });
      }
    }
  }
  return cases;
}

/** What is wrong with our answer to a case; `null` if nothing is. */
export function runCase({ test, variables, bindings, expected }: SpecCase): string | null {
  const table = new Map<string, Variable>();
  for (const [name, type] of variables) {
    const value = bindings.get(name) ?? null;
    const read = (): Value | CelError =>
      bindings.has(name) ? value : new CelError("a variable that is not bound");
    table.set(name, { type, stage: "envelope", read });
  }
  const checking = test.disableCheck ? "lenient" : "strict";
  const compiled = compileProgram(test.expr, { variables: table, engine: null, checking });
  if (!compiled.ok) {
    return `refused: ${compiled.problems.map(({ code, message }) => `${code} ${message}`).join("; ")}`;
  }
  const result = compiled.program.evaluate(null);
  if (expected === null) {
    return result instanceof CelError ? null : `expected an error, got ${renderResult(result)}`;
  }
  if (isSame(result, expected.value)) return null;
  return `expected ${renderResult(expected.value)}, got ${renderResult(result)}`;
}
