/** Every value is of the type that was checked, whatever `dyn` hides. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { compileProgram } from "../../../src/engine/cel/compile-program.ts";
import { MAIL_VARIABLES } from "../../../src/engine/cel/mail-variables.ts";
import { type CelType, formatType } from "../../../src/engine/cel/values/type.ts";
import {
  Abnormal,
  isList,
  isMap,
  keyValue,
  type Optional,
  typeNameOf,
  type Value,
} from "../../../src/engine/cel/values/value.ts";
import { FACTS } from "./evaluate.ts";

const NAMES: Readonly<Partial<Record<CelType["kind"], string>>> = {
  null: "null_type",
  timestamp: "google.protobuf.Timestamp",
  duration: "google.protobuf.Duration",
  optional: "optional_type",
  struct: "attachment",
};

function isOf(type: CelType, value: Value): boolean {
  if (type.kind === "dyn") return true;
  if (typeNameOf(value) !== (NAMES[type.kind] ?? type.kind)) return false;
  if (type.kind === "list") return isList(value) && value.every((item) => isOf(type.of[0], item));
  if (type.kind === "optional") {
    const held = (value as Optional).value;
    return held === undefined || isOf(type.of[0], held);
  }
  if (type.kind !== "map" || !isMap(value)) return true;
  const [key, held] = type.of;
  return [...value].every(([at, item]) => isOf(key, keyValue(value, at)) && isOf(held, item));
}

const LEAVES = [
  ...['"a"', '"1"', '""', "1", "0", "2u", "1.5", "true", "null", "b'a'", "int", "subject", "size"],
  ...["headers", "attachments", "attachments[0]", "[]", "{}", "[1, 2]", '["a", "b"]', '{"a": 1}'],
  ...["{1: 'a'}", '[["a"]]', "[[1]]", 'optional.of("a")', "optional.of(1)", "optional.none()"],
  ...["timestamp(0)", "duration('1s')", '{"a": ["b"]}', "v", "w", "v", "w"],
];

/** Ways to make an expression of others; `$1`, `$2` and `$3` stand for these. */
const FORMS = [
  ...["dyn($1)", "dyn($1)", "[$1]", "[$1, $2]", "{$1: $2}", "$1 + $2", "$1 + $2", "$1 == $2"],
  ...["$1 < $2", "$1 in $2", "$1[$2]", "$1[?$2]", "$1.a", "$1.?a", "has($1.a)", "-$1", "!$1"],
  ...["$1.filename", "$1.size()", "size($1)", "$1.lowerAscii()", "$1.contains($2)", "$1 && $2"],
  ...["$1 ? $2 : $3", "$1 ? $2 : $3", "cel.bind(v, $1, $2)", "cel.bind(w, $1, [v, w, $2])"],
  ...[
    "$1.map(v, $2)",
    "$1.map(v, $2, $3)",
    "$1.filter(v, $2)",
    "$1.exists(v, $2)",
    "$1.all(v, w, $2)",
  ],
  ...[
    "$1.transformList(v, w, $2)",
    "$1.transformMap(v, w, $2)",
    "$1.transformMapEntry(v, w, {$2: $3})",
  ],
  ...[
    "$1.transformMapEntry(v, w, $2)",
    "optional.of($1)",
    "optional.ofNonZeroValue($1)",
    "$1.value()",
  ],
  ...["$1.hasValue()", "$1.or($2)", "$1.orValue($2)", "$1.optMap(v, $2)", "$1.optFlatMap(v, $2)"],
  ...[
    "$1.split($2)",
    "$1.join($2)",
    "$1.join()",
    "$1.replace($2, $3)",
    "$1.substring($2)",
    "$1.trim()",
  ],
  ...["'%s %d %x'.format([$1, $2, $3])", "$1.format($2)", "string($1)", "int($1)", "double($1)"],
  ...["bytes($1)", "type($1)", "timestamp($1)", "duration($1)", "$1.matches($2)", "$1.getHours()"],
  ...[
    "strings.quote($1)",
    "$1.indexOf($2)",
    "$1.charAt($2)",
    "$1 - $2",
    "$1 * $2",
    "$1 % $2",
    "$1.reverse()",
  ],
];

const expression: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthIdentifier: "expression" },
    { weight: 1, arbitrary: fc.constantFrom(...LEAVES) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...FORMS), tie("any"), tie("any"), tie("any"))
        .map(([form, ...parts]) =>
          form.replace(/\$([123])/g, (_, nth) => `(${parts[Number(nth) - 1]})`),
        ),
    },
  ),
})).any;

/** The variables are anything at all, so that most expressions are accepted. */
const within = expression.map(
  (source) => `cel.bind(v, dyn(["a", 1]), cel.bind(w, {"a": "b"}, ${source}))`,
);

it("evaluates to a value of the type that was checked, and never throws", () => {
  const seen = { values: 0, failed: 0 };
  const options = { variables: MAIL_VARIABLES, engine: null, checking: "strict" } as const;
  fc.assert(
    fc.property(within, (source) => {
      const compiled = compileProgram(source, options);
      if (!compiled.ok) return;
      const { program } = compiled;
      const result = program.evaluate(FACTS);
      if (result instanceof Abnormal) {
        seen.failed++;
        expect(result.kind, source).toBe("failed");
        return;
      }
      seen.values++;
      expect(isOf(program.type, result), `${source} is no ${formatType(program.type)}`).toBe(true);
    }),
    { seed: 20261124, numRuns: 20_000 },
  );
  expect(seen.values).toBeGreaterThan(1_000);
  expect(seen.failed).toBeGreaterThan(300);
});
