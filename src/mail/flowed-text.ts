/** Text of `format=flowed` with its paragraphs joined again (RFC 3676 §4). */

/** A line ends softly when it ends with a space, but for the separator before a signature. */
const SIGNATURE_SEPARATOR = "-- ";

function quoteDepth(line: string): number {
  let depth = 0;
  while (line.charCodeAt(depth) === 62) depth++;
  return depth;
}

/**
 * Joins soft line breaks and takes out the stuffed blanks; lines of another quote depth are never joined. A quoted
 * paragraph keeps its `>` marks once. `delSp`: the blank before a soft break belongs to the break. Lines end with LF.
 */
export function joinFlowed(text: string, delSp: "delsp" | "keep"): string {
  const pieces: string[] = [];
  let openDepth = -1;
  const lines = text.split("\n");
  lines.forEach((line, index) => {
    const depth = quoteDepth(line);
    const stuffed = line.charCodeAt(depth) === 32 ? depth + 1 : depth;
    const content = line.slice(stuffed);
    const isSeparator = content === SIGNATURE_SEPARATOR;
    const joins = openDepth === depth && !isSeparator;
    if (!joins) {
      if (index > 0) pieces.push("\n");
      if (depth > 0) pieces.push(line.slice(0, depth), content === "" ? "" : " ");
    }
    const isSoft = content.endsWith(" ") && !isSeparator && index < lines.length - 1;
    pieces.push(isSoft && delSp === "delsp" ? content.slice(0, -1) : content);
    openDepth = isSoft ? depth : -1;
  });
  return pieces.join("");
}
