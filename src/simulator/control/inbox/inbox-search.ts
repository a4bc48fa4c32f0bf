/** The search of the inboxes: words and phrases in any header field or text of a message. */
import { LIMITS } from "../../../base/limits.ts";
import { findFirst } from "../../../engine/cel/values/search.ts";
import { wholeMessageOf } from "../../../message/whole-message.ts";
import { RECEIVED_CONTENTS, type ReceivedRow } from "../../model/records.ts";
import { foldCase } from "../../store/fold-case.ts";
import { octetsOf } from "../../store/held-content.ts";
import type { Store } from "../../store/store.ts";

/** `"two words" three` → `["two words", "three"]`, folded. */
function wordsOf(query: string): readonly string[] {
  const found = query.matchAll(/"([^"]+)"|(\S+)/g);
  const words = [...found].map(([, phrase, word]) => foldCase((phrase ?? word)!.trim()));
  return words.filter((word) => word !== "").slice(0, LIMITS.inboxWordsMax);
}

/** Each tag becomes a blank. Behind the last `>` no tag ends, so each `<` need not search the rest for one. */
function withoutTags(html: string): string {
  const end = html.lastIndexOf(">") + 1;
  return html.slice(0, end).replace(/<[^>]*>/g, " ") + html.slice(end);
}

/** All header fields, and the texts that readers show; of JSON, its values. */
function searchedText({ kind, destination }: ReceivedRow, octets: Uint8Array): string {
  if (kind !== "mailbox") return `${destination}\n${Buffer.from(octets).toString("utf8")}`;
  const { headers, text, html } = wholeMessageOf(octets);
  const fields = [...headers].map(([name, values]) => `${name}: ${values.join(", ")}`);
  const shown = withoutTags(html);
  return [destination, ...fields, text, shown, html].join("\n");
}

/** Whether a message has all the words of a query; an empty query has none. */
export function searchTest(store: Store, query: string): (row: ReceivedRow) => Promise<boolean> {
  const words = wordsOf(query);
  if (words.length === 0) return async () => true;
  const contents = store.table(RECEIVED_CONTENTS);
  return async (row) => {
    const content = await contents.get(row.id);
    if (content === undefined) return false;
    const text = foldCase(searchedText(row, octetsOf(content)));
    return words.every((word) => findFirst(text, word) >= 0);
  };
}
