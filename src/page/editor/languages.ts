/** Highlighting of CEL, patterns and JSON, token by token; the engine itself says what is wrong with them. */
import { StreamLanguage } from "@codemirror/language";

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

export const celLanguage = StreamLanguage.define<object>({
  name: "cel",
  startState: () => ({}),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^[rRbB]{0,2}("""[\s\S]*?"""|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/))
      return "string";
    if (stream.match(/^(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)u?/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word !== null) {
      if (/^(?:true|false|null|in)$/.test(word[0])) return "keyword";
      if (stream.match(/^\s*\(/, false)) return "function";
      return word[0] in CEL_VARIABLES ? "variableName" : null;
    }
    if (stream.match(/^(?:&&|\|\||[=!<>]=?|[-+*/%?:])/)) return "operator";
    stream.next();
    return null;
  },
});

export const patternLanguage = StreamLanguage.define<{ inClass: boolean }>({
  name: "re2",
  startState: () => ({ inClass: false }),
  token(stream, state) {
    if (stream.match(/^\\(?:[pP]\{[^}]*\}?|x\{[^}]*\}?|.)/)) return "string";
    if (state.inClass) {
      if (stream.match("]")) state.inClass = false;
      else if (!stream.match(/^\[:\^?\w+:\]/)) stream.next();
      return "string";
    }
    if (stream.match(/^\[\^?\]?/)) {
      state.inClass = true;
      return "string";
    }
    if (stream.match(/^\((?:\?[^:)]*[:)]?)?|^\)/)) return "function";
    if (stream.match(/^(?:[*+?]\??|\{\d+(?:,\d*)?\}\??)/)) return "number";
    if (stream.match(/^[|^$.]/)) return "operator";
    stream.next();
    return null;
  },
});

export const jsonLanguage = StreamLanguage.define<object>({
  name: "json",
  startState: () => ({}),
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?(?=\s*:)/)) return "propertyName";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^-?\d[\d.eE+-]*|^(?:true|false|null)\b/)) return "number";
    stream.next();
    return null;
  },
});
