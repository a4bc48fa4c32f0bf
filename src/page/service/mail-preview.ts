/**
 * A document that shows the HTML of a mail and can do nothing else: its frame is sandboxed without any permission, and its own
 * policy loads nothing. Scripts, frames and addresses are removed first. Blocked pictures are counted, so that the page can
 * say so.
 */
export interface MailPreview {
  readonly document: string;
  /** Remote pictures that were not loaded; of these, how many are too small to be seen. */
  readonly pictures: number;
  readonly pixels: number;
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'";
const REMOVED =
  "script,iframe,frame,object,embed,applet,link,base,meta,form > input[type=hidden],audio,video,source,portal,template,svg use";
/** Attributes that may hold addresses; what they name is not loaded. */
const ADDRESSES = [
  "src",
  "srcset",
  "background",
  "poster",
  "href",
  "action",
  "formaction",
  "ping",
  "data",
  "xlink:href",
];

function isPixel(picture: Element): boolean {
  const size = (name: string): number => Number(picture.getAttribute(name) ?? Number.NaN);
  return size("width") <= 2 || size("height") <= 2;
}

function placeholder(picture: Element, documentOf: Document): void {
  const words = documentOf.createElement("span");
  const said = picture.getAttribute("alt");
  words.textContent =
    said === null || said === "" ? "picture not loaded" : `picture not loaded: ${said}`;
  words.setAttribute(
    "style",
    "display:inline-block;border:1px dashed #777;padding:4px;color:#595959;background:#f6f6f6;font:12px sans-serif",
  );
  picture.replaceWith(words);
}

/** `inline`: pictures of the message itself, by content id, as `data:` addresses. */
export function previewOf(
  html: string,
  inline: ReadonlyMap<string, string> = new Map(),
): MailPreview {
  // A parsed document is inert: nothing of it runs or loads.
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const each of parsed.querySelectorAll(REMOVED)) each.remove();
  let [pictures, pixels] = [0, 0];
  for (const picture of parsed.querySelectorAll("img")) {
    const source = picture.getAttribute("src") ?? "";
    const own = /^cid:(.+)$/i.exec(source)?.[1];
    const kept = own === undefined ? source : (inline.get(own) ?? "");
    if (/^data:image\/(?:png|gif|jpeg|webp)[;,]/i.test(kept)) {
      picture.removeAttribute("srcset");
      picture.setAttribute("src", kept);
      continue;
    }
    if (own === undefined && (source !== "" || picture.hasAttribute("srcset"))) pictures++;
    if (isPixel(picture)) {
      pixels++;
      picture.remove();
    } else placeholder(picture, parsed);
  }
  for (const element of parsed.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      const isKept = element.localName === "img" && name === "src";
      if (name.startsWith("on") || (ADDRESSES.includes(name) && !isKept))
        element.removeAttribute(name);
      if (name === "href" && /^(?:https?|mailto):/i.test(value))
        element.setAttribute("title", value);
    }
  }
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  const style =
    "<style>html{color-scheme:light;background:#fff;color:#222}body{margin:16px;font:15px/1.5 sans-serif;overflow-wrap:anywhere}a{text-decoration:underline;color:#1d4f9f}</style>";
  const document = `<!doctype html><html><head>${head}${style}</head>${parsed.head.querySelectorAll("style").length === 0 ? "" : [...parsed.head.querySelectorAll("style")].map(({ outerHTML }) => outerHTML).join("")}${parsed.body.outerHTML}</html>`;
  return { document, pictures, pixels };
}
