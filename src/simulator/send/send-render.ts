/** Renders Mustache texts with JSON variables, within bounds, because nested sections multiply. */
import Mustache from "mustache";
import { LIMITS } from "../../base/limits.ts";

/** Thrown when rendering would exceed the bounds. */
export class RenderLimitError extends Error {}

/** The work that one rendering has used. */
interface Spent {
  steps: number;
  units: number;
}

function spend(spent: Spent, what: keyof Spent, count: number): void {
  spent[what] += count;
  const max = what === "steps" ? LIMITS.renderStepsMax : LIMITS.renderedUnitsMax;
  if (spent[what] <= max) return;
  const noun = what === "steps" ? "steps" : "characters";
  throw new RenderLimitError(`rendering takes more than ${max} ${noun}: shorten its sections`);
}

function ownValue(holder: unknown, name: string): unknown {
  const isHolder = typeof holder === "object" && holder !== null && Object.hasOwn(holder, name);
  return isHolder ? (holder as Record<string, unknown>)[name] : undefined;
}

/** Variables with the sections around them. Only own fields are looked up; the library's context would also find `constructor`. */
class OwnFields extends Mustache.Context {
  readonly #outer: OwnFields | undefined;
  readonly #spent: Spent;

  constructor(view: unknown, outer: OwnFields | undefined, spent: Spent) {
    super(view, outer);
    this.#outer = outer;
    this.#spent = spent;
  }

  override push(view: unknown): OwnFields {
    spend(this.#spent, "steps", 1);
    return new OwnFields(view, this, this.#spent);
  }

  override lookup(name: string): unknown {
    if (name === ".") return this.view;
    const names = name.split(".");
    spend(this.#spent, "steps", names.length);
    let fields: OwnFields | undefined = this;
    while (fields !== undefined && ownValue(fields.view, names[0]!) === undefined) {
      fields = fields.#outer;
    }
    let value: unknown = fields?.view;
    for (const each of names) value = ownValue(value, each);
    return value;
  }
}

/** A value as text; empty for objects and lists. */
function textOf(value: unknown): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

class BoundedWriter extends Mustache.Writer {
  readonly #spent: Spent;
  readonly #escape: (text: string) => string;

  constructor(spent: Spent, escaped: (text: string) => string) {
    super();
    this.#spent = spent;
    this.#escape = escaped;
  }

  #counted(text: string): string {
    spend(this.#spent, "units", text.length);
    return text;
  }

  override rawValue(token: string[]): string {
    return this.#counted(super.rawValue(token));
  }

  override unescapedValue(token: string[], context: Mustache.Context): string {
    return this.#counted(textOf(context.lookup(token[1]!)));
  }

  override escapedValue(token: string[], context: Mustache.Context): string {
    return this.#escape(this.unescapedValue(token, context));
  }
}

const ESCAPES: Readonly<Record<"html" | "text", (text: string) => string>> = {
  html: Mustache.escape,
  text: (text) => text,
};

/**
 * Fills the variables into `template`; in HTML `{{name}}` is escaped and `{{{name}}}` is not. `mustacheProblem` must find no
 * problem in the template. Throws `RenderLimitError`.
 */
// ASSUMPTION(missing-variables): a variable that is not given, or is an object or a list, is rendered as nothing
export function renderTemplate(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  form: "html" | "text",
): string {
  const spent: Spent = { steps: 0, units: 0 };
  const fields = new OwnFields(variables, undefined, spent);
  return new BoundedWriter(spent, ESCAPES[form]).render(template, fields);
}
