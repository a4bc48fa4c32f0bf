/** Options are closed: a key that is not known is a mistake of the caller, never silently ignored. */

/** Throws a `TypeError` that names the first key of `options` that is not among `names`, or says that they are no object. */
export function assertOptions(options: object, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError("the options are not an object: give one, or leave them out");
  }
  const unknown = Object.keys(options).find((key) => !names.includes(key));
  if (unknown === undefined) return;
  const choice = names.map((name) => `\`${name}\``).join(", ");
  throw new TypeError(`unknown option \`${unknown}\`: use ${choice}`);
}
