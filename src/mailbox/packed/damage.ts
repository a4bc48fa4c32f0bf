/** Errors and notes on packed files that cannot be read to their end. */

/** Called with notes on a packed file. */
export type OnNote = (note: string) => void;

export const BESIDES = "something else follows the compressed data: not read";

/** An error like that of zlib for damage, or for a file that ends too early. */
export function damage(
  cause: unknown,
  code: "Z_DATA_ERROR" | "Z_BUF_ERROR" = "Z_DATA_ERROR",
): Error {
  const said = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(said, { cause }), { code });
}
