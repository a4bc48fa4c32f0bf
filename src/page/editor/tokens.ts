/** Splits CEL, patterns and JSON into tokens for highlighting; errors come from the engine itself. */
import type { Span } from "../../base/diagnostic.ts";

export type CodeColour = "name" | "string" | "number" | "call" | "op";

export interface Token extends Span {
  readonly kind: CodeColour;
}

export const CEL_VARIABLES: Readonly<Record<string, { type: string; says: string }>> = {
  sender: { type: "string", says: "The address in From, in lower case." },
  recipient: { type: "string", says: "The address the message was sent to, in lower case." },
  subject: { type: "string", says: "The decoded subject; empty if there is none." },
  body: { type: "string", says: "The text that a mail program shows." },
  headers: { type: "map(string, list(string))", says: "Header fields by name in lower case." },
  attachments: {
    type: "list({filename, contentType, size})",
    says: "The attachments in the order of the message.",
  },
  size: { type: "int", says: "Octets of the whole message." },
};

/** Tried in this order wherever a token can begin; a `null` has no colour. */
type Grammar = readonly (readonly [pattern: RegExp, kind: CodeColour | null])[];

export type CodeKind = "cel" | "pattern" | "json";

const GRAMMARS: Readonly<Record<CodeKind, Grammar>> = {
  cel: [
    [/\s+/y, null],
    [/\/\/.*/y, "op"],
    [
      /[rRbB]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)/y,
      "string",
    ],
    [/(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)u?/y, "number"],
    [/(?:true|false|null|in)\b/y, "number"],
    [/[A-Za-z_]\w*(?=\s*\()/y, "call"],
    [new RegExp(`(?:${Object.keys(CEL_VARIABLES).join("|")})\\b`, "y"), "name"],
    [/[A-Za-z_]\w*/y, null],
    [/&&|\|\||[=!<>]=?|[-+*/%?:]/y, "op"],
  ],
  pattern: [
    [/\\(?:[pP]\{[^}]*\}?|x\{[^}]*\}?|[\s\S])/y, "string"],
    [/\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]?/y, "string"],
    [/\((?:\?[^:)]*[:)]?)?|\)/y, "call"],
    [/[*+?]\??|\{\d+(?:,\d*)?\}\??/y, "number"],
    [/[|^$.]/y, "op"],
    [/[^\\[()*+?{|^$.]+/y, null],
  ],
  json: [
    [/\s+/y, null],
    [/"(?:[^"\\\n]|\\.)*"(?=\s*:)/y, "name"],
    [/"(?:[^"\\\n]|\\.)*"?/y, "string"],
    [/-?\d[\d.eE+-]*|(?:true|false|null)\b/y, "number"],
  ],
};

/** The coloured tokens, in text order. Reads each character a bounded number of times. */
export function tokensOf(text: string, code: CodeKind): readonly Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start + 1;
    for (const [pattern, kind] of GRAMMARS[code]) {
      pattern.lastIndex = start;
      if (!pattern.test(text) || pattern.lastIndex === start) continue;
      end = pattern.lastIndex;
      if (kind !== null) tokens.push({ start, end, kind });
      break;
    }
    start = end;
  }
  return tokens;
}
