/** Decodes the character references of HTML 4 and all numeric ones (HTML §13.2.5.72). */

/** U+00A0 to U+00FF in order. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute " +
  "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig " +
  "Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times " +
  "Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave " +
  "eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave " +
  "uacute ucirc uuml yacute thorn yuml";

/** U+0391 to U+03C9 in order; `-` marks code points without a name. */
const GREEK =
  "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi " +
  "Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi " +
  "rho sigmaf sigma tau upsilon phi chi psi omega";

/** Name and hexadecimal code point. */
const OTHERS =
  "quot 22 amp 26 apos 27 lt 3c gt 3e OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2c6 tilde 2dc " +
  "thetasym 3d1 upsih 3d2 piv 3d6 ensp 2002 emsp 2003 thinsp 2009 zwnj 200c zwj 200d lrm 200e rlm 200f ndash 2013 " +
  "mdash 2014 lsquo 2018 rsquo 2019 sbquo 201a ldquo 201c rdquo 201d bdquo 201e dagger 2020 Dagger 2021 bull 2022 " +
  "hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203a oline 203e frasl 2044 euro 20ac image 2111 " +
  "weierp 2118 real 211c trade 2122 alefsym 2135 larr 2190 uarr 2191 rarr 2192 darr 2193 harr 2194 crarr 21b5 " +
  "lArr 21d0 uArr 21d1 rArr 21d2 dArr 21d3 hArr 21d4 forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 " +
  "notin 2209 ni 220b prod 220f sum 2211 minus 2212 lowast 2217 radic 221a prop 221d infin 221e ang 2220 and 2227 " +
  "or 2228 cap 2229 cup 222a int 222b there4 2234 sim 223c cong 2245 asymp 2248 ne 2260 equiv 2261 le 2264 ge 2265 " +
  "sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287 oplus 2295 otimes 2297 perp 22a5 sdot 22c5 lceil 2308 rceil 2309 " +
  "lfloor 230a rfloor 230b lang 2329 rang 232a loz 25ca spades 2660 clubs 2663 hearts 2665 diams 2666";

/** What 0x80 to 0x9F mean in a numeric reference: windows-1252. */
const C1 =
  "20ac 81 201a 192 201e 2026 2020 2021 2c6 2030 160 2039 152 8d 17d 8f 90 2018 2019 201c 201d 2022 2013 2014 2dc " +
  "2122 161 203a 153 9d 17e 178";

const C1_POINTS = C1.split(" ").map((hex) => Number.parseInt(hex, 16));

/** Code points by name, capitals told from small letters. */
export function pointsByName(): ReadonlyMap<string, number> {
  const entries: [string, number][] = [];
  const ranges: readonly [string, number][] = [
    [LATIN_1, 0xa0],
    [GREEK, 0x391],
  ];
  for (const [names, first] of ranges) {
    names.split(" ").forEach((name, index) => {
      if (name !== "-") entries.push([name, first + index]);
    });
  }
  for (const [, name, hex] of OTHERS.matchAll(/(\S+) (\S+)/g)) {
    entries.push([name!, Number.parseInt(hex!, 16)]);
  }
  return new Map(entries);
}

interface Named {
  readonly name: string;
  readonly meaning: number;
}

/** One more code unit of a name; no two names come to the same number, as a test makes sure. */
function hashUnit(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) | 0;
}

function hashName(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = hashUnit(hash, name.charCodeAt(at));
  return hash;
}

/** By hash: looking a name up makes no string of it, so that a text full of names costs no more than others. */
const NAMED: ReadonlyMap<number, Named> = new Map(
  [...pointsByName()].map(([name, meaning]) => [hashName(name), { name, meaning }]),
);

const REPLACEMENT = 0xfffd;

/** The code point that a number means. */
function pointOf(number: number): number {
  if (number >= 0x80 && number <= 0x9f) return C1_POINTS[number - 0x80]!;
  const isCharacter = number > 0 && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff);
  return isCharacter ? number : REPLACEMENT;
}

const [HASH, SEMICOLON, LOWER_X] = [35, 59, 120];
/** Letters and digits that a name, a decimal and a hexadecimal number have at most. */
const [NAME_UNITS_MAX, DECIMALS_MAX, HEX_DIGITS_MAX] = [16, 10, 8];

/** What a character reference says, and where it ends. */
export interface Reference {
  /** A code point. */
  readonly meaning: number;
  readonly end: number;
}

function digitOf(unit: number, base: 10 | 16): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return base === 16 && lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function numberAt(text: string, at: number): Reference | null {
  const base = (text.charCodeAt(at) | 32) === LOWER_X ? 16 : 10;
  const start = base === 16 ? at + 1 : at;
  const most = start + (base === 16 ? HEX_DIGITS_MAX : DECIMALS_MAX);
  let number = 0;
  let end = start;
  for (; end < most; end++) {
    const digit = digitOf(text.charCodeAt(end), base);
    if (digit < 0) break;
    number = number * base + digit;
  }
  return end === start ? null : { meaning: pointOf(number), end };
}

/** Whether the code unit is a letter of ASCII. */
export function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}

function nameAt(text: string, at: number): Reference | null {
  let end = at;
  let hash = 0;
  while (end - at < NAME_UNITS_MAX) {
    const unit = text.charCodeAt(end);
    if (!isLetter(unit) && (end === at || digitOf(unit, 10) < 0)) break;
    hash = hashUnit(hash, unit);
    end++;
  }
  const named = end - at < 2 ? undefined : NAMED.get(hash);
  if (named === undefined || named.name.length !== end - at) return null;
  return text.startsWith(named.name, at) ? { meaning: named.meaning, end } : null;
}

/** The reference whose `&` is at `at`; `null` where that begins none, or a name that is not known. */
export function referenceAt(text: string, at: number): Reference | null {
  const isNumber = text.charCodeAt(at + 1) === HASH;
  const found = isNumber ? numberAt(text, at + 2) : nameAt(text, at + 1);
  if (found === null || text.charCodeAt(found.end) !== SEMICOLON) return found;
  return { meaning: found.meaning, end: found.end + 1 };
}

/** Whether what stands behind the `&` at `at` can make a character reference of it. */
export function beginsReference(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === HASH || isLetter(next);
}

/** The text with its character references decoded; names that are not known stay as they are. */
export function decodeEntities(text: string): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf("&"); at >= 0; ) {
    const reference = referenceAt(text, at);
    if (reference !== null) {
      out += text.slice(from, at) + String.fromCodePoint(reference.meaning);
      from = reference.end;
    }
    at = text.indexOf("&", reference?.end ?? at + 1);
  }
  return from === 0 ? text : out + text.slice(from);
}
