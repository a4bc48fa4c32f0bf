/** Reads YAML with positions. Every mistake is reported, whatever a file does with anchors and aliases. */
import type { Document, Node, Pair, YAMLError, YAMLMap } from "yaml";
import type { Path } from "../../base/diagnostic.ts";

/** The value of a text, and the positions in the text of the values at given paths. */
export interface Parsed {
  readonly value: unknown;
  offsetsOf(paths: readonly Path[]): readonly number[];
}

export interface Mistake {
  readonly message: string;
  readonly offset: number;
}

/** Most values after all aliases are expanded: ten thousand tests that share one message have some. */
const VALUES_MAX = 5_000_000;

type Yaml = typeof import("yaml");

function offsetOfNode(node: unknown): number {
  return (node as { range?: readonly number[] | null } | undefined)?.range?.[0] ?? 0;
}

/** Counts the values of a node with its aliases expanded. Sets `mistake` if they cannot be expanded. */
class AliasCheck {
  readonly #yaml: Yaml;
  readonly #document: Document;
  readonly #counts = new Map<Node, number | "open">();
  /** The anchors before the current node; the library's `resolve` searches the whole text for each alias. */
  readonly #anchors = new Map<string, Node>();
  mistake: Mistake | null = null;

  constructor(yaml: Yaml, document: Document) {
    this.#yaml = yaml;
    this.#document = document;
  }

  #refuse(message: string, node: unknown): number {
    this.mistake ??= { message, offset: offsetOfNode(node) };
    return 0;
  }

  count(node: unknown): number {
    const { isAlias, isMap, isSeq } = this.#yaml;
    if (this.mistake !== null) return 0;
    if (isAlias(node)) {
      const named = this.#anchors.get(node.source);
      if (named === undefined) {
        return this.#refuse(`no anchor \`&${node.source}\` before this alias: add it`, node);
      }
      if (this.#counts.get(named) === "open") {
        return this.#refuse(`\`*${node.source}\` is inside the value that it names`, node);
      }
      // Resolved once: for each alias, the library searches all aliases before it.
      node.resolve = () => named as ReturnType<typeof node.resolve>;
      return this.count(named);
    }
    if (!this.#yaml.isNode(node)) return 1;
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (!isMap(node) && !isSeq(node)) return 1;
    const known = this.#counts.get(node);
    if (typeof known === "number") return known;
    this.#counts.set(node, "open");
    const parts = isMap(node) ? this.#ofMap(node) : node.items;
    let count = 1;
    for (const part of parts) count += this.count(part);
    if (count > VALUES_MAX) {
      this.#refuse(`aliases expand to more than ${VALUES_MAX} values: use fewer`, node);
    }
    this.#counts.set(node, count);
    return count;
  }

  #ofMap(map: YAMLMap): unknown[] {
    const isOld = this.#document.directives?.yaml.version === "1.1";
    return map.items.flatMap(({ key, value }: Pair) => {
      if (!isOld && this.#yaml.isScalar(key) && key.value === "<<") {
        const hint = "write its fields out, or begin the file with `%YAML 1.1` and `---`";
        this.#refuse(`\`<<\` merges in YAML 1.1 only: ${hint}`, key);
      }
      return [key, value];
    });
  }
}

const TOO_DEEP = "the text is nested too deeply";

/** The library's message, where it is one for an author. */
function said({ code, message }: YAMLError): string {
  if (code === "RESOURCE_EXHAUSTION") return TOO_DEEP;
  if (code === "MULTIPLE_DOCS") return "a second document: write each into a file of its own";
  return message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

export async function parseYaml(text: string): Promise<Parsed | Mistake> {
  const yaml = await import("yaml");
  try {
    const document = yaml.parseDocument(text, { prettyErrors: false });
    const [wrong] = document.errors;
    if (wrong !== undefined) return { message: said(wrong), offset: wrong.pos[0] };
    const check = new AliasCheck(yaml, document);
    check.count(document.contents);
    if (check.mistake !== null) return check.mistake;
    return {
      value: document.toJS({ maxAliasCount: -1 }),
      offsetsOf: (paths) => paths.map((path) => offsetOf(yaml, document, path)),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { message: TOO_DEEP, offset: 0 };
  }
}

function offsetOf({ isNode }: Yaml, document: Document, path: Path): number {
  for (let steps = path.length; steps >= 0; steps--) {
    const node: unknown = document.getIn(path.slice(0, steps), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
