/** The charset that an HTML text declares for itself, if its transport declares none (HTML §13.2.3.2). */
import { octetText } from "../text/octet-text.ts";

/** Octets to search, as in browsers. */
const LOOKED_AT_BYTES = 1_024;

const META = /<!--[\s\S]*?(?:-->|$)|<meta[\s/][^>]*>/gi;
const CHARSET = /(?:^|[\s;"'/])charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'/>]+))/i;

/** As written; `""` if there is none. UTF-16 means UTF-8 here: in UTF-16 the declaration could not have been read. */
export function metaCharset(html: Uint8Array): string {
  const head = octetText(html, 0, Math.min(html.length, LOOKED_AT_BYTES));
  for (const [meta] of head.matchAll(META)) {
    if (meta.startsWith("<!--")) continue;
    const found = CHARSET.exec(meta);
    const charset = (found?.[1] ?? found?.[2] ?? found?.[3] ?? "").trim();
    if (charset !== "") return /^utf-?16/i.test(charset) ? "utf-8" : charset;
  }
  return "";
}
