/** Charsets that switch by escapes: ISO-2022-JP, -JP-1, -JP-2, -JP-3, -JP-MS, CP5022x, -KR, -CN (ISO/IEC 2022), and HZ (RFC 1843). */

import { type Collected, collectedBytes } from "./collected.ts";
import { unitText } from "./unit-text.ts";

/** Decodes octets of the charset of an octet set: `euc-jp`, `euc-jis-2004`, `gbk`, `euc-kr`, `iso-8859-1`, `iso-8859-7`. */
type Decode = (bytes: Uint8Array, charset: string) => string;

/** A set of characters that an escape selects: its charset, and the octet before each character. */
interface CodeSet {
  readonly charset: string;
  readonly width: 1 | 2;
  /** The octet before each character that distinguishes the sets of EUC-JP; 0 for none. */
  readonly single: number;
}

const ASCII: CodeSet = { charset: "us-ascii", width: 1, single: 0 };
const KATAKANA: CodeSet = { charset: "euc-jp", width: 1, single: 0x8e };
const JIS_X_0208: CodeSet = { charset: "euc-jp", width: 2, single: 0 };
const JIS_X_0212: CodeSet = { charset: "euc-jp", width: 2, single: 0x8f };
const JIS_X_0213: CodeSet = { charset: "euc-jis-2004", width: 2, single: 0 };
const JIS_X_0213_2: CodeSet = { charset: "euc-jis-2004", width: 2, single: 0x8f };
const GB_2312: CodeSet = { charset: "gbk", width: 2, single: 0 };
const KS_X_1001: CodeSet = { charset: "euc-kr", width: 2, single: 0 };
const LATIN: CodeSet = { charset: "iso-8859-1", width: 1, single: 0 };
const GREEK: CodeSet = { charset: "iso-8859-7", width: 1, single: 0 };

/** The octets after ESC, and the set that they put in place 0, 1 or 2. */
const ESCAPES: readonly (readonly [string, 0 | 1 | 2, CodeSet])[] = [
  ["(B", 0, ASCII],
  ["(J", 0, ASCII],
  ["(H", 0, ASCII],
  ["(I", 0, KATAKANA],
  ["$@", 0, JIS_X_0208],
  ["$B", 0, JIS_X_0208],
  ["$(@", 0, JIS_X_0208],
  ["$(B", 0, JIS_X_0208],
  ["$(D", 0, JIS_X_0212],
  ["$(O", 0, JIS_X_0213],
  ["$(Q", 0, JIS_X_0213],
  ["$(P", 0, JIS_X_0213_2],
  ["$A", 0, GB_2312],
  ["$(A", 0, GB_2312],
  ["$(C", 0, KS_X_1001],
  ["$)C", 1, KS_X_1001],
  ["$)A", 1, GB_2312],
  [")I", 1, KATAKANA],
  [".A", 2, LATIN],
  [".F", 2, GREEK],
];

/** In the order of runs: a line end, in no charset. */
const LINE = 255;

const [LF, SHIFT_OUT, SHIFT_IN, ESC, SINGLE_SHIFT] = [10, 14, 15, 27, 78];
const [TILDE, OPEN, CLOSE] = [126, 123, 125];

/** Octets of one charset. An LF ends each run, so that all are decoded at once: one by one they took 2 µs each. */
interface Charset {
  readonly name: string;
  readonly octets: Collected;
}

/** Octets of successive charsets. */
class Runs {
  /** The charset of each run; `LINE` for a line end. */
  readonly #order = collectedBytes();
  readonly #charsets: Charset[] = [];
  #run = LINE;
  readonly #decode: Decode;

  constructor(decode: Decode) {
    this.#decode = decode;
  }

  #end(): void {
    if (this.#run !== LINE) this.#charsets[this.#run]!.octets.pushOctet(LF);
    this.#run = LINE;
  }

  /** Makes this the charset of the next octets. */
  #of(name: string): Collected {
    const last = this.#charsets[this.#run];
    if (last?.name === name) return last.octets;
    this.#end();
    this.#run = this.#charsets.findIndex((each) => each.name === name);
    if (this.#run < 0) this.#run = this.#charsets.push({ name, octets: collectedBytes() }) - 1;
    this.#order.pushOctet(this.#run);
    return this.#charsets[this.#run]!.octets;
  }

  plain(octet: number): void {
    if (octet !== LF) {
      this.#of("us-ascii").pushOctet(octet);
      return;
    }
    this.#end();
    this.#order.pushOctet(LINE);
  }

  /** Adds a character of a set, as octets with the high bit. */
  put({ charset, single }: CodeSet, first: number, second: number | null): void {
    const octets = this.#of(charset);
    if (single !== 0) octets.pushOctet(single);
    octets.pushOctet(first | 0x80);
    if (second !== null) octets.pushOctet(second | 0x80);
  }

  get text(): string {
    this.#end();
    const texts = this.#charsets.map(({ name, octets }) => this.#decode(octets.bytes, name));
    const order = this.#order.bytes;
    if (texts.length === 1 && !order.includes(LINE)) return texts[0]!.slice(0, -1);
    const units = new Uint16Array(
      order.length + texts.reduce((sum, { length }) => sum + length, 0),
    );
    const at = texts.map(() => 0);
    let length = 0;
    for (const charset of order) {
      if (charset === LINE) {
        units[length++] = LF;
        continue;
      }
      const text = texts[charset]!;
      for (let next = at[charset]!; ; next++) {
        const unit = text.charCodeAt(next);
        if (unit !== LF && next < text.length) {
          units[length++] = unit;
          continue;
        }
        at[charset] = next + 1;
        break;
      }
    }
    return unitText(units, length);
  }
}

const isGraphic = (octet: number | undefined): octet is number =>
  octet !== undefined && (octet & 0x7f) > 32 && (octet & 0x7f) < 127;

/** The escape that begins after the ESC at `at`. */
function escapeAt(bytes: Uint8Array, at: number): (typeof ESCAPES)[number] | undefined {
  return ESCAPES.find(([sequence]) => {
    for (let index = 0; index < sequence.length; index++) {
      if (bytes[at + 1 + index] !== sequence.charCodeAt(index)) return false;
    }
    return true;
  });
}

/** The set that a shift selects without an escape: katakana in CP50222 and seven-bit JIS. */
function shiftedSetOf(name: string): CodeSet {
  if (name.includes("kr")) return KS_X_1001;
  return name.includes("cn") ? GB_2312 : KATAKANA;
}

/** The text of octets of the ISO-2022 family; `name` is the charset's. An octet outside every set is read as ASCII. Total. */
export function decodeIso2022(bytes: Uint8Array, name: string, decode: Decode): string {
  const runs = new Runs(decode);
  const sets: [CodeSet, CodeSet, CodeSet] = [ASCII, shiftedSetOf(name), LATIN];
  let shifted: 0 | 1 = 0;
  for (let at = 0; at < bytes.length; ) {
    const octet = bytes[at]!;
    if (octet === ESC) {
      const found = escapeAt(bytes, at);
      if (found !== undefined) {
        sets[found[1]] = found[2];
        at += 1 + found[0].length;
        continue;
      }
      const third = bytes[at + 2];
      if (bytes[at + 1] === SINGLE_SHIFT && isGraphic(third)) {
        runs.put(sets[2], third, null);
        at += 3;
        continue;
      }
    }
    at++;
    if (octet === SHIFT_OUT || octet === SHIFT_IN) {
      shifted = octet === SHIFT_OUT ? 1 : 0;
      continue;
    }
    if (octet === LF) shifted = 0;
    // CP50220 writes half-width katakana with the high bit.
    const set = octet > 160 && sets[0].charset !== "euc-kr" ? KATAKANA : sets[shifted];
    if (set === ASCII || !isGraphic(octet)) {
      runs.plain(octet);
    } else if (set.width === 1) {
      runs.put(set, octet, null);
    } else if (isGraphic(bytes[at])) {
      runs.put(set, octet, bytes[at]!);
      at++;
    } else {
      runs.plain(octet);
    }
  }
  return runs.text;
}

/** The text of octets in HZ. The end of a line ends Chinese text. Total. */
export function decodeHz(bytes: Uint8Array, decode: Decode): string {
  const runs = new Runs(decode);
  let isChinese = false;
  for (let at = 0; at < bytes.length; at++) {
    const octet = bytes[at]!;
    const next = bytes[at + 1];
    if (octet === LF) isChinese = false;
    if (isChinese ? octet === TILDE && next === CLOSE : octet === TILDE && next === OPEN) {
      isChinese = !isChinese;
      at++;
    } else if (!isChinese && octet === TILDE && (next === TILDE || next === LF)) {
      if (next === TILDE) runs.plain(TILDE);
      at++;
    } else if (isChinese && isGraphic(octet) && isGraphic(next)) {
      runs.put(GB_2312, octet, next);
      at++;
    } else {
      runs.plain(octet);
    }
  }
  return runs.text;
}
