/** Markup in templates, without a build step of its own. */
import htm from "htm";
import { h, type VNode } from "preact";

export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = (
  htm as unknown as { bind(create: typeof h): never }
).bind(h);
