/** How texts are compared without case: lower case, letter by letter, so that a substring stays one. */

/**
 * Lower case in which every sigma is the same, and a capital I with its dot is one letter. Databases differ
 * from it, so a store on one of them looks for folded text in folded text.
 */
export function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}
