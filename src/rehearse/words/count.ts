/** Formats numbers of things for people. */

/** `1,204`. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 rule`, `1,204 rules`. */
export function count(value: number, one: string, many: string = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
