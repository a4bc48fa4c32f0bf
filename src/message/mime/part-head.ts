/** Reads what the fields of a MIME part say about its content (RFC 2045 §5, §6; RFC 2183; RFC 3676). */
import type { CharsetDecoder } from "../header/encoded-words.ts";
import type { HeaderField } from "../header/header-block.ts";
import { rawHeaderText } from "../header/header-text.ts";
import { type MimeField, parseMimeField } from "./mime-field.ts";

/** What the fields of a part say about its content. */
export interface PartHead {
  /** Lower-case media type, e.g. `text/plain`. */
  readonly contentType: string;
  /** As written; `""` if not declared. */
  readonly charset: string;
  readonly transferEncoding: "identity" | "quoted-printable" | "base64";
  readonly disposition: "inline" | "attachment";
  /** Decoded, `""` if it has none. */
  readonly filename: string;
  /** `format=flowed` of RFC 3676, and its `delsp=yes`. */
  readonly format: "fixed" | "flowed" | "flowed-delsp";
}

/** The head of a part that declares nothing. */
export const TEXT_HEAD: PartHead = {
  contentType: "text/plain",
  charset: "",
  transferEncoding: "identity",
  disposition: "inline",
  filename: "",
  format: "fixed",
};

const NO_FIELD: MimeField = { value: "", parameters: new Map(), isCut: false };
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+$/;

/** A head with the values that only the reader of parts needs. */
export interface ReadHead extends PartHead {
  /** `""` unless it is a multipart with a boundary. */
  readonly boundary: string;
  /** Whether one of its fields has more parameters than the bound. */
  readonly isCut: boolean;
}

/** Reads a part's fields. Total. */
export function readPartHead(
  fields: readonly HeaderField[],
  defaultType: string,
  decode: CharsetDecoder,
  parametersMax: number,
): ReadHead {
  const read = (field: HeaderField | undefined): MimeField =>
    field === undefined
      ? NO_FIELD
      : parseMimeField(rawHeaderText(field.value, decode), decode, parametersMax);
  let typeField: HeaderField | undefined;
  let encodingField: HeaderField | undefined;
  let dispositionField: HeaderField | undefined;
  // The first of each name counts.
  for (const field of fields) {
    const { name } = field;
    if (name === "content-type") typeField ??= field;
    else if (name === "content-transfer-encoding") encodingField ??= field;
    else if (name === "content-disposition") dispositionField ??= field;
  }
  const type = read(typeField);
  const { value: encoding, isCut } = read(encodingField);
  const disposition = read(dispositionField);
  const contentType = MEDIA_TYPE.test(type.value) ? type.value : defaultType;
  const flowed = type.parameters.get("format")?.toLowerCase() === "flowed";
  const delSp = type.parameters.get("delsp")?.toLowerCase() === "yes";
  return {
    contentType,
    charset: type.parameters.get("charset") ?? "",
    transferEncoding:
      encoding === "base64" || encoding === "quoted-printable" ? encoding : "identity",
    disposition:
      disposition.value === "" || disposition.value === "inline" ? "inline" : "attachment",
    filename: disposition.parameters.get("filename") ?? type.parameters.get("name") ?? "",
    format: flowed ? (delSp ? "flowed-delsp" : "flowed") : "fixed",
    boundary: contentType.startsWith("multipart/") ? (type.parameters.get("boundary") ?? "") : "",
    isCut: type.isCut || disposition.isCut || isCut,
  };
}
