/** Attachments of the send API: which are allowed, and how large (API v4 §4 Send, §7 Send errors, §8). */
import { detectMimeType } from "nodemailer/lib/mime-funcs";
import { LIMITS } from "../../base/limits.ts";

export interface SendAttachment {
  readonly filename: string;
  readonly content: Uint8Array;
  readonly contentType: string;
  /** For `cid:` references of the HTML. */
  readonly contentId: string | null;
}

/** Files that some desktops run when they are opened. */
// ASSUMPTION(blocked-extensions): beside those that the API names, the extensions that large providers block
const BLOCKED_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "exe bat js vbs ps1 scr " +
    "ade adp apk app appx appxbundle cab chm cmd com cpl diagcab diagcfg dll dmg ex ex_ gadget hta img ins iso isp " +
    "jar jnlp jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1xml ps2 psc1 psm1 reg sct shb sys vb " +
    "vbe vhd vhdx vxd wsc wsf wsh xll"
  ).split(" "),
);

const FILENAME_UNITS_MAX = 255;
/** A media type with parameters; not `multipart`, whose content would be taken for parts. */
const MEDIA_TYPE =
  /^(?!multipart\/)[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?:; ?[a-z0-9-]{1,64}=(?:[\w!#$&^.+-]{1,256}|"[\w !#$&^.+:/-]{1,256}"))*$/i;
/** Trailing blanks and dots, which desktops drop, and invisible letters. */
const UNSEEN = /[\s.]+$|[\p{Cf}]/gu;

function extensionOf(filename: string): string {
  const seen = filename.replace(UNSEEN, "");
  return seen.slice(seen.lastIndexOf(".") + 1).toLowerCase();
}

/** Base64 with its padding and nothing else (RFC 4648 §4). */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return text.slice(0, text.length - padding).search(/[^A-Za-z0-9+/]/) < 0;
}

function decodedBytes(base64: string): number {
  return (base64.length / 4) * 3 - (/=*$/.exec(base64.slice(-2))?.[0].length ?? 0);
}

interface AttachmentFields {
  readonly [name: string]: unknown;
}

/** Why one attachment is refused, or `null`. */
function attachmentProblem(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "is not an object: give `filename` and `content`";
  }
  const { filename, content, content_type: type, content_id: id } = value as AttachmentFields;
  if (typeof filename !== "string" || filename.trim() === "") return "has no `filename`: give one";
  if (filename.length > FILENAME_UNITS_MAX || /\p{Cc}/u.test(filename)) {
    return `has an invalid \`filename\`: give at most ${FILENAME_UNITS_MAX} printable characters`;
  }
  const extension = extensionOf(filename);
  if (BLOCKED_EXTENSIONS.has(extension)) {
    return `has the blocked extension \`.${extension}\`: send it as a link`;
  }
  if (typeof content !== "string" || content === "") {
    return "has no `content`: give the file in base64";
  }
  if (!isBase64(content))
    return "has a `content` that is not base64: encode it without line breaks";
  if (type !== undefined && (typeof type !== "string" || !MEDIA_TYPE.test(type))) {
    return "has an invalid `content_type`: write it as `application/pdf`";
  }
  if (id !== undefined && (typeof id !== "string" || !/^[^\s<>\p{Cc}]{1,200}$/u.test(id))) {
    return "has an invalid `content_id`: give up to 200 characters without blanks and angle brackets";
  }
  return null;
}

export type ReadAttachments =
  | { readonly ok: true; readonly attachments: readonly SendAttachment[] }
  | { readonly ok: false; readonly messages: readonly string[] };

/** Reads the `attachments` of a request; none without the field. */
export function readAttachments(value: unknown): ReadAttachments {
  if (value === undefined) return { ok: true, attachments: [] };
  if (!Array.isArray(value))
    return { ok: false, messages: ["`attachments` is not an array: give one"] };
  if (value.length > LIMITS.attachmentsMax) {
    const message = `${value.length} attachments: at most ${LIMITS.attachmentsMax} can be sent`;
    return { ok: false, messages: [message] };
  }
  const messages = value.flatMap((each: unknown, index) => {
    const problem = attachmentProblem(each);
    return problem === null ? [] : [`\`attachments[${index}]\` ${problem}`];
  });
  if (messages.length > 0) return { ok: false, messages };
  const given = value as readonly Readonly<Record<string, string | undefined>>[];
  const bytes = given.reduce((sum, { content }) => sum + decodedBytes(content!), 0);
  if (bytes > LIMITS.attachmentBytesMax) {
    const message = `the attachments have ${bytes} octets: at most ${LIMITS.attachmentBytesMax} can be sent`;
    return { ok: false, messages: [message] };
  }
  const attachments = given.map(
    ({ filename, content, content_type: type, content_id: id }): SendAttachment => ({
      filename: filename!,
      content: Buffer.from(content!, "base64"),
      contentType: type ?? detectMimeType(filename!),
      contentId: id ?? null,
    }),
  );
  return { ok: true, attachments };
}
