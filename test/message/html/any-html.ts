/** Fragments of HTML as a hostile sender might write them: tags that do not fit, hidden text, broken markup. */
import fc from "fast-check";

const list = (text: string): readonly string[] => text.split(" ");

const COMMON = list("div span p b i a td tr table li ul br font center blockquote h1");
const OTHERS = list(
  "html head body tbody thead tfoot th caption col colgroup ol dl dt dd pre xmp listing plaintext form button select " +
    "option optgroup input textarea script style title template noscript noframes noembed iframe object applet " +
    "marquee ruby rt rp rb rtc nobr em code u s tt big small strong strike img hr wbr area embed param source link " +
    "meta base svg math desc foreignObject text g mi mtext annotation-xml mglyph address article section main nav " +
    "figure figcaption fieldset legend dialog h2 h3 image keygen custom-x label abbr slot search summary center",
);

const STYLES: readonly string[] = [
  "display:none",
  "display:block",
  "display:inline",
  "display:inline-block",
  "display:none;display:block",
  "display:block;display:nonsense",
  "display:none!important;display:block",
  "DISPLAY : None ; color:red",
  "/*display:none*/display:block",
  "dis/**/play:none",
  "d\\69splay:none",
  "display:n\\6fne",
  "color:red;;display:none",
  "x{;}display:none",
  "background:url(a;display:none",
  'font-family:"a;b";display:none',
  "visibility:hidden",
  "visibility:visible",
  "visibility:collapse;color:red",
  "visibility:none",
  "display:contents",
  "display:list-item",
  "display:flex",
  "display:block flow",
  "float:left",
  "position:absolute",
  "display&colon;none",
  "display:none&semi;display:inline",
  "color:blue",
  "",
];

const attribute: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...STYLES).map((style) => ` style="${style}"`) },
  { weight: 1, arbitrary: fc.constantFrom(...STYLES).map((style) => ` style='${style}'`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      " hidden",
      ' hidden=""',
      " class=hidden",
      " data-x=display:none",
      " title='a>b'",
      ' title="a<b"',
      " x=a'b",
      ' x=a"b',
      " =hidden",
      " /",
      "/hidden",
      " style=display:none",
      "\u00a0hidden",
      "\nhidden\n",
      " type=hidden",
      " size=2",
      " open",
      " a = b",
      " hidden hidden=x style=display:inline",
    ),
  },
);

const name: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...COMMON) },
  { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
);

const start: fc.Arbitrary<string> = fc
  .tuple(name, fc.array(attribute, { maxLength: 2 }), fc.constantFrom(">", ">", ">", " >", "/>"))
  .filter(([tag]) => tag !== "plaintext")
  .map(([tag, attributes, end]) => `<${tag}${attributes.join("")}${end}`);

const end: fc.Arbitrary<string> = name.map((tag) => `</${tag}>`);

const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(..."one two three four five six seven eight nine ten".split(" ")),
  },
  { weight: 3, arbitrary: fc.constantFrom(" ", "\n", "\t ", "&nbsp;", "\u00a0") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "&amp;",
      "&lt;b&gt;",
      "&period;",
      "&notit;",
      "&#65;",
      "&#x41",
      "&#128;",
      "&unknown;",
      "&",
      "\u0000",
      "1 < 2",
      "<",
      "</",
      "</>",
      "<3",
    ),
  },
);

const markup: fc.Arbitrary<string> = fc.constantFrom(
  "<!-- c -->",
  "<!-- c --!>",
  "<!-->",
  "<!--->",
  "<!doctype html>",
  "<?x y>",
  "<![CDATA[z]]>",
  "</ x>",
  "<!x>",
);

/** Most words stand alone, so that what joins or parts them is seen. */
export const anyHtml: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: start },
      { weight: 4, arbitrary: end },
      { weight: 7, arbitrary: text },
      { weight: 1, arbitrary: markup },
    ),
    { minLength: 2, maxLength: 24 },
  )
  .map((pieces) => pieces.join(""));
