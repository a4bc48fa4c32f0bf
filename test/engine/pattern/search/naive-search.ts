/** Searching as plainly as can be: the oracle of what searches cleverly. */
import { caseFolds } from "../../../../src/engine/pattern/syntax/case-orbits.ts";
import type { RequiredLiteral } from "../../../../src/engine/pattern/syntax/required-literals.ts";

export function foldText(text: string): string {
  return Array.from({ length: text.length }, (_, at) =>
    String.fromCharCode(caseFolds()[text.charCodeAt(at)]!),
  ).join("");
}

/** The first `placesMax` offsets at which a literal stands. */
export function placesOf(
  text: string,
  { text: sought, fold }: RequiredLiteral,
  placesMax: number = Number.POSITIVE_INFINITY,
): number[] {
  const [hay, needle] = fold ? [foldText(text), foldText(sought)] : [text, sought];
  const places: number[] = [];
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    if (places.length === placesMax) break;
    places.push(at);
  }
  return places;
}
