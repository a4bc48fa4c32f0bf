/** Folds texts for comparison without case: to lower case, letter by letter, so that a substring stays a substring. */

/**
 * Lower case in which all sigmas are equal and a capital I with a dot is one letter. Databases fold differently, so a SQL store
 * searches folded text in folded text.
 */
export function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}
