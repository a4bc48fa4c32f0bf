/** Markup in templates, without a build step of its own. */
import htm from "htm";
import { type ComponentChild, h, type VNode } from "preact";

/** An empty text is no child: Preact writes it anew at each drawing, and the browser then lays its parent out anew. */
const create = (type: never, props: never, ...children: ComponentChild[]): VNode =>
  h(type, props, ...children.map((child) => (child === "" ? null : child)));

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = (
  htm as unknown as { bind(to: typeof create): never }
).bind(create);
