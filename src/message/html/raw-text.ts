/** Finds where the text of an element ends in which there are no tags, such as a script (HTML §13.2.5.2, .4). */

const SCRIPT_MARKS = /<!--|-->|<\/?script(?=[\t\n\f\r />])/gi;

const rawEnds = new Map<string, RegExp>();

function rawEndOf(name: string): RegExp {
  const found = rawEnds.get(name);
  if (found !== undefined) return found;
  const made = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
  rawEnds.set(name, made);
  return made;
}

/** Where a script's text ends. Within `<!--` it may hold whole scripts (HTML §13.2.5.15 to .32). */
function scriptEnd(html: string, from: number): number {
  let state: "script" | "escaped" | "double escaped" = "script";
  SCRIPT_MARKS.lastIndex = from;
  for (let mark = SCRIPT_MARKS.exec(html); mark !== null; mark = SCRIPT_MARKS.exec(html)) {
    if (mark[0] === "<!--") {
      if (state === "script") state = "escaped";
      // The dashes may belong to `-->`.
      SCRIPT_MARKS.lastIndex -= 2;
    } else if (mark[0] === "-->") {
      state = "script";
    } else if (mark[0][1] === "/") {
      if (state !== "double escaped") return mark.index;
      state = "escaped";
    } else if (state === "escaped") {
      state = "double escaped";
    }
  }
  return html.length;
}

/** Where the text that begins at `from` ends: before the end tag, or at the end of the HTML. */
export function rawEnd(html: string, name: string, from: number): number {
  if (name === "script") return scriptEnd(html, from);
  const end = rawEndOf(name);
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}
