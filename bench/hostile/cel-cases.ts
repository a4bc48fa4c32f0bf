/** Expressions made to be expensive: each function of CEL for as much fuel as there is. */
import { coins, letters, repeated, same, scripts } from "./texts.ts";

export interface CelCase {
  readonly path?: string;
  readonly name: string;
  readonly rules?: number;
  readonly expression: (nth: number) => string;
  readonly body: (units: number) => string;
  /** Code units of the body; left out: as many as rules see. */
  readonly units?: number;
}

const HUNDRED = `[${Array.from({ length: 100 }, (_, index) => index + 1).join(", ")}]`;

/** `inner` in loops over a hundred numbers, `depth` deep; `v0` … are their variables. */
function loops(depth: number, inner: string): string {
  let source = inner;
  for (let level = 0; level < depth; level++) source = `l.all(v${level}, ${source})`;
  return `cel.bind(l, ${HUNDRED}, ${source})`;
}

/** Lists of `inner` for each letter `x` of the body, a hundred times, all held at once. */
function held(inner: string): string {
  return `cel.bind(l, ${HUNDRED}, cel.bind(w, body.split(""), l.map(v0, w.map(x, ${inner})).size() > 0))`;
}

/** In 25 rules, which together spend a message's budget. */
function often(name: string, source: string, body = letters, units?: number): CelCase {
  // A constant of its own for each rule, so that no two are the same expression.
  const expression = (nth: number): string => `(${source}) && subject != "${nth}"`;
  return { name, rules: 25, expression, body, ...(units === undefined ? {} : { units }) };
}

/** An expression that changes or writes texts. */
function textCase(name: string, source: string, pattern: string, units?: number): CelCase {
  return { ...often(name, source, repeated(pattern), units), path: "texts in expressions" };
}

/** An expression whose values grow. */
function growthCase(name: string, source: string, pattern: string, units = 10): CelCase {
  return { ...often(name, source, repeated(pattern), units), path: "values that grow" };
}

/** `end` of `start` after `times` steps. */
function grown(
  times: number,
  start: string,
  step: (name: string) => string,
  end: (name: string) => string,
): string {
  let source = end(`s${times}`);
  for (let level = times; level > 0; level--) {
    source = `cel.bind(s${level}, ${step(`s${level - 1}`)}, ${source})`;
  }
  return `cel.bind(s0, ${start}, ${source})`;
}

/** `start` joined with itself again and again. */
function doubled(times: number, start: string): string {
  return grown(
    times,
    start,
    (name) => `${name} + ${name}`,
    (name) => `${name}.size() == 0`,
  );
}

/** Lists or maps that hold one another twice, each visited again and again. */
function shared(start: string, step: (name: string) => string): string {
  return `cel.bind(l, ${HUNDRED}, ${grown(20, start, step, (name) => `l.all(v0, ${name} == ${name})`)})`;
}

const computed = (nth: number): string =>
  loops(4, `!body.matches("(a|b)*c.{" + string(v0 % 50 + v1 % 50) + "}d${nth}")`);

export const CEL_CASES: readonly CelCase[] = [
  {
    path: "computed patterns",
    name: "3 rules, a body of 3 letters",
    rules: 3,
    expression: computed,
    body: () => "abc",
    units: 3,
  },
  {
    path: "computed patterns",
    name: "25 rules, 200 letters",
    rules: 25,
    expression: computed,
    body: coins,
    units: 200,
  },
  {
    path: "computed patterns",
    name: "25 rules, classes of scripts",
    rules: 25,
    expression: (nth) =>
      loops(
        4,
        `!body.matches("[\\\\pL\\\\pN]{1,40}(\\\\p{Greek}|${nth}){" + string(v0 % 40) + "}" + string(v1))`,
      ),
    body: scripts,
    units: 300,
  },
  {
    path: "computed patterns",
    name: "25 rules, automata that grow",
    rules: 25,
    expression: (nth) => loops(3, `!body.matches("a.{" + string(30 + v0 % 40) + "}[cd]${nth}")`),
    body: coins,
    units: 4_000,
  },
  {
    path: "patterns in expressions",
    name: "25 × matches, 1 MB",
    rules: 25,
    expression: (nth) => `body.matches("(a|b)*c${nth}d")`,
    body: coins,
  },
  {
    path: "patterns in expressions",
    name: "25 × matches a.{90}[cd], 1 MB",
    rules: 25,
    expression: (nth) => `body.matches("a.{90}[cd]${nth}")`,
    body: coins,
  },
  often(
    "replace that grows",
    'body.replace("a", "aa").replace("a", "aa").replace("a", "aa") == ""',
    same,
  ),
  often("replace of nothing", loops(2, 'body.replace("", "-").size() > 0'), scripts, 1_000),
  often("split and join", 'body.split("").join("--").size() == 0', letters, 500_000),
  often("split of code points", loops(2, 'body.split("").size() > 0'), scripts, 1_000),
  often("split and join in loops", loops(2, 'body.split("e").join("ee").size() > 0'), letters, 500),
  often(
    "strings that double",
    `cel.bind(s, body, ${loops(1, "(s + s + s).size() > 0")})`,
    letters,
    100_000,
  ),
  often("lower and upper", loops(1, 'body.lowerAscii().upperAscii() != ""')),
  often("lower of non-ASCII", loops(2, 'body.upperAscii() != ""'), scripts, 1_000),
  often("trim and reverse", loops(2, 'body.trim().reverse() != ""'), scripts, 1_000),
  often("reverse of a long text", loops(1, 'body.reverse() != ""')),
  often(
    "substring and charAt",
    loops(2, 'body.substring(v0, v0 + v1) + body.charAt(v1) != ""'),
    scripts,
    1_000,
  ),
  often(
    "indexOf and lastIndexOf",
    loops(2, 'body.indexOf("zq" + string(v0)) + body.lastIndexOf("zq") < 0'),
    letters,
    1_000,
  ),
  often(
    "indexOf of a long text",
    `!${loops(1, "body.indexOf(body.substring(1) + 'b') < 0")}`,
    same,
    5_000,
  ),
  often(
    "format",
    loops(3, '"%s %d %x %.3f %e".format(["a", v0, v1, 1.5, 2.5]) != ""'),
    letters,
    10,
  ),
  often("format of lists", loops(3, '"%s".format([l]) != ""'), letters, 10),
  often("quote line feeds", "!(strings.quote(body).size() > 3)", (units) => "\n".repeat(units)),
  ...[16_000, 17_000].map((units) => {
    const keys = "l.transformMapEntry(i, v, {body + string(i): v}).size() == 100";
    return often(`keys of ${units} units`, loops(1, keys), letters, units);
  }),
  often("quote", `!${loops(1, 'strings.quote(body) != ""')}`, scripts, 10_000),
  often(
    "numbers from text",
    loops(3, 'int(string(v0)) + int("123456789012345") > 0 && double("1e300") > 0.0'),
    letters,
    10,
  ),
  often(
    "big integers",
    loops(4, "9007199254740993 * 3 + v0 - 9007199254740992 * 2 > 0"),
    letters,
    10,
  ),
  often("uints", loops(4, "18446744073709551615u / uint(v0) > 0u"), letters, 10),
  often(
    "timestamps",
    loops(3, 'timestamp("2020-01-01T00:00:00Z").getDayOfYear("+01:00") < 400'),
    letters,
    10,
  ),
  often(
    "timestamps that add",
    loops(
      3,
      'timestamp("2020-01-01T00:00:00Z") + duration("1h") > timestamp("2019-01-01T00:00:00Z")',
    ),
    letters,
    10,
  ),
  often("durations", loops(3, 'duration("1h2m3s4ms5us6ns") > duration("1s")'), letters, 10),
  often("maps", loops(2, "l.transformMap(i, v, v).size() > 0"), letters, 10),
  often(
    "maps of text",
    loops(2, "l.transformMapEntry(i, v, {string(v): i}).size() > 0"),
    letters,
    10,
  ),
  often("lists of lists", loops(2, "l.map(a, [a, l]).size() > 0"), letters, 10),
  often("lists that are held", held("[x, x, x, x]"), letters, 30_000),
  often("bytes that are held", held("bytes(x)"), letters, 30_000),
  often("optionals that are held", held("optional.of(x)"), letters, 30_000),
  often("timestamps that are held", held("timestamp(v0)"), letters, 30_000),
  often("maps that are held", held("{x: 1}"), letters, 30_000),
  often(
    "characters that are held",
    `cel.bind(l, ${HUNDRED}, l.map(v0, body.split("")).size() > 0)`,
    scripts,
    200_000,
  ),
  often(
    "long texts that are held",
    `cel.bind(l, ${HUNDRED}, l.map(v0, body.reverse()).size() > 0)`,
    scripts,
  ),
  often(
    "maps of each word",
    `cel.bind(w, body.split(" "), ${loops(1, "w.transformMapEntry(i, x, {string(i): [x]}).size() > 0")})`,
  ),
  often("equal lists", `!${loops(2, "l.map(a, l) != [[1]]")}`, letters, 10),
  ...["double(x)", "uint(x)", "timestamp(x)"].map((item) =>
    often(
      `equal lists of ${item}`,
      `cel.bind(l, ${HUNDRED}, cel.bind(a, l.map(x, ${item}), cel.bind(b, l.map(x, ${item}), ${loops(3, "a == b")})))`,
    ),
  ),
  often("in a list", loops(3, "!(0 in l)"), letters, 10),
  often(
    "in a list of texts",
    `!cel.bind(w, body.split(" "), ${loops(2, "!(string(v0) in w)")})`,
    letters,
    5_000,
  ),
  often("headers", loops(2, "headers.all(h, headers[h].size() == 1)"), letters, 10),
  often("headers' text", loops(2, 'headers.all(h, !headers[h][0].contains("b"))'), letters, 10),
  often(
    "compare texts",
    `cel.bind(s, body + "a", cel.bind(t, body + "b", ${loops(2, "s < t && s != t")}))`,
    letters,
    20_000,
  ),
  often("optionals", loops(4, "optional.of(v0).optMap(x, x + 1).orValue(0) > 0"), letters, 10),
  often("errors absorbed", loops(4, "1 / (v0 - v0) > 0 || true"), letters, 10),
  often("bytes", loops(1, "bytes(body) != b''"), scripts, 100_000),
  often("string of bytes", loops(1, "string(bytes(body)) != ''"), scripts, 100_000),
  often(
    "contains",
    `${loops(1, 'body.contains("zqx")')} || ${loops(1, '!body.contains("zqx" + string(v0))')}`,
  ),
  often("startsWith", loops(4, '!body.startsWith("zq")'), letters, 10),
  ...["1.5", '"a"', 'duration("1s")'].map((value) =>
    often(`compare dyn(${value})`, `cel.bind(t, dyn(${value}), ${loops(4, "t <= t")})`),
  ),
  often("size of dyn", `cel.bind(t, dyn([1]), ${loops(4, "t.size() == 1")})`),
  often("type of", loops(4, "type(v0) == int"), letters, 10),
  textCase("upper of aé", loops(2, 'body.upperAscii() != ""'), "aé"),
  textCase("lower of AÉ", loops(2, 'body.lowerAscii() != ""'), "AÉ"),
  textCase("lower of A日", loops(2, 'body.lowerAscii() != ""'), "A日"),
  textCase("lower of AÉ, 1,000 units", loops(2, 'body.lowerAscii() != ""'), "AÉ", 1_000),
  textCase("lower of AÉ, 10 units", loops(3, 'body.lowerAscii() != ""'), "AÉ", 10),
  textCase("%X of 日", loops(1, '"%X".format([body]) != ""'), "日"),
  textCase("%x of ASCII", loops(1, '"%x".format([body]) != ""'), "ab"),
  textCase("replace of nothing by xy", loops(1, 'body.replace("", "xy") != ""'), "日本a"),
  textCase("replace of nothing in 😀", loops(1, 'body.replace("", "x") != ""'), "😀"),
  textCase("replace of a by nothing", loops(2, 'body.replace("a", "") != ""'), "日a", 100_000),
  textCase("replace of a, 3 times", loops(2, 'body.replace("a", "bb", 3) != ""'), "ab"),
  textCase("trim of U+2003", loops(2, 'body.trim() == ""'), "\u2003"),
  textCase("trim of U+2003, 10,000 units", loops(2, 'body.trim() == ""'), "\u2003", 10_000),
  textCase("quote", loops(2, 'strings.quote(body) != ""'), '"\\\n'),
  textCase("format of %%", 'body.format([]) == ""', "%%"),
  textCase("format of %%, 100 units", loops(3, 'body.format([]) != ""'), "%%", 100),
  textCase("%.99e", loops(3, '"%.99e".format([1.7976931348623157e308]) != ""'), "a", 10),
  textCase("%.0e of what looks like a tie", loops(3, '"%.0e".format([2.5e300]) != ""'), "a", 10),
  textCase("bytes that are not UTF-8", loops(4, 'string(b"\\xff") != "" || true'), "a", 10),
  ...[16, 40, 100, 300].map((units) =>
    textCase(`matches a.*b$, ${units} units`, loops(3, '!body.matches("a.*b$")'), "a😀", units),
  ),
  growthCase("lists of ints that double", doubled(22, "[1, 2]"), "a"),
  growthCase("lists of texts that double", doubled(20, '["a", "b", "c"]'), "a"),
  growthCase("lists of doubles that double", doubled(21, "[1.5, 2.5]"), "a"),
  growthCase("bytes that double", doubled(22, "bytes(body)"), "a"),
  growthCase(
    "lists that share parts",
    shared("[1]", (name) => `[${name}, ${name}]`),
    "a",
  ),
  growthCase(
    "maps that share parts",
    shared("{1: 1}", (name) => `{1: ${name}, 2: ${name}}`),
    "a",
  ),
  growthCase(
    "lists that are mapped",
    'cel.bind(w, body.split(""), w.map(x, x).map(x, x).filter(x, true).size() == 0)',
    "ab",
    300_000,
  ),
  growthCase(
    "maps that are held",
    `cel.bind(l, ${HUNDRED}, cel.bind(w, body.split(""), l.map(v0, w.transformMap(i, x, i)).size() == 0))`,
    "ab",
    100_000,
  ),
  growthCase(
    "maps of each character",
    'body.split("").transformMapEntry(i, x, {x + string(i): i}).size() == 0',
    "日",
    500_000,
  ),
];
