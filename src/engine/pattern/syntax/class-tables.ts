/** Named character classes of the RE2 dialect: Perl's, POSIX's, and the Unicode names every engine knows. */

/** First and last code point, both included. */
export type CodeRange = readonly [first: number, last: number];

export const CODE_POINT_MAX = 0x10ffff;

/** Ranges of ASCII, written as their ends: `"09az"` is `[0-9a-z]`. */
function rangesOfEnds(ends: string): readonly CodeRange[] {
  return Array.from({ length: ends.length / 2 }, (_, nth) => [
    ends.charCodeAt(2 * nth),
    ends.charCodeAt(2 * nth + 1),
  ]);
}

/** `\w`. */
export const WORD_RANGES: readonly CodeRange[] = rangesOfEnds("09AZ__az");

/** Unlike POSIX's `[:space:]`, `\s` leaves out the vertical tab. */
export const PERL_CLASSES: Readonly<Record<string, readonly CodeRange[]>> = {
  d: rangesOfEnds("09"),
  s: rangesOfEnds("\t\n\f\r  "),
  w: WORD_RANGES,
};

export const POSIX_CLASSES: ReadonlyMap<string, readonly CodeRange[]> = new Map([
  ["alnum", rangesOfEnds("09AZaz")],
  ["alpha", rangesOfEnds("AZaz")],
  ["ascii", rangesOfEnds("\0\x7f")],
  ["blank", rangesOfEnds("\t\t  ")],
  ["cntrl", rangesOfEnds("\0\x1f\x7f\x7f")],
  ["digit", rangesOfEnds("09")],
  ["graph", rangesOfEnds("!~")],
  ["lower", rangesOfEnds("az")],
  ["print", rangesOfEnds(" ~")],
  ["punct", rangesOfEnds("!/:@[`{~")],
  ["space", rangesOfEnds("\t\r  ")],
  ["upper", rangesOfEnds("AZ")],
  ["word", WORD_RANGES],
  ["xdigit", rangesOfEnds("09AFaf")],
]);

/** General categories that hold no other, in the order of the tables of Unicode. */
export const CATEGORY_NAMES: readonly string[] =
  "Cc Cf Co Cs Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs".split(
    " ",
  );

/** Scripts up to Unicode 13, in the order of the tables of Unicode: later names are unknown to re2-wasm. */
export const SCRIPT_NAMES: readonly string[] =
  `Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki
  Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee
  Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan
  Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi
  Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited
  Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li Kharoshthi
  Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani
  Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui
  Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari New_Tai_Lue
  Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic
  Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau
  Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala
  Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil
  Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Vai Wancho Warang_Citi Yezidi Yi Zanabazar_Square`.split(
    /\s+/,
  );

/** What `\p` accepts: `C` is all of `Cc`, `Cf` and so on, and what has no category. */
export const UNICODE_CLASSES: ReadonlySet<string> = new Set([
  "Any",
  ..."CLMNPSZ",
  ...CATEGORY_NAMES,
  ...SCRIPT_NAMES,
]);

/** The code points outside `ranges`, in order; `ranges` may overlap and be in any order. */
export function complement(ranges: readonly CodeRange[]): CodeRange[] {
  const outside: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (first > next) outside.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= CODE_POINT_MAX) outside.push([next, CODE_POINT_MAX]);
  return outside;
}

/** The same code points as ranges in order and apart; `ranges` may overlap and be in any order. */
export function mergeRanges(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const areApart = ranges.every(([first], nth) => nth === 0 || first > ranges[nth - 1]![1] + 1);
  return areApart ? ranges : complement(complement(ranges));
}

/** The index of the first number from `least` on; `numbers` are in order. */
export function indexFrom(numbers: Int32Array, least: number): number {
  let low = 0;
  for (let high = numbers.length; high > low; ) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
