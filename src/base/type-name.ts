/** The type of a value in messages to programmers. */

/** Objects that are given by mistake, such as a promise that was not awaited. */
const NAMED = /^(?:Date|Promise)$/;

/** `an array`, `a Promise`, `a number`, `null`: with its article, to follow "is". */
export function jsTypeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "an array";
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return NAMED.test(name) ? `a ${name}` : "an object";
}
