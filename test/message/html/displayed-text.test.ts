/** The text of HTML. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { htmlToText } from "../../../src/message/html/displayed-text.ts";

describe("html-text: what HTML displays", () => {
  test.each([
    ["text", "a b", "a b"],
    ["white space", " a \n\t b<b> c</b> <i> d </i>", "a b c d"],
    ["blocks break lines", "<div>a<p>b</p>c</div>d<br>e<br/>f", "a\nb\nc\nd\ne\nf"],
    ["breaks do not add up", "a<br><br><p></p><br>b", "a\nb"],
    ["inline elements do not break", "a<b>b</b><span>c</span>d", "abcd"],
    ["table cells are apart", "<table><tr><td>a<td>b</td></tr><tr><th>c</th></table>", "a b\nc"],
    ["blanks before a break", "a <br> b", "a\nb"],
    ["pre keeps white space", "<pre>a\n  b </pre>c  d", "a\n  b \nc d"],
    [
      "scripts and styles",
      "a<script>if (1<2) '</p>'</script>b<style>p{}</style>c<title>t</title>",
      "abc",
    ],
    ["a script that never ends", "a<script>b<p>c", "a"],
    ["raw text ends at its own tag", "<style></style x>a<script></SCRIPT >b", "ab"],
    ["comments", "a<!-- <b>x</b> > -->b<!--[if mso]>x<![endif]-->c<!-->d", "abcd"],
    ["declarations", "<!DOCTYPE html><?xml x?>a</ x>b", "ab"],
    ["a comment that never ends", "a<!-- b", "a"],
    [
      "references",
      "caf&eacute; &lt;b&gt; &amp;amp; &#x20ac;&#8364; a&nbsp;b",
      "café <b> &amp; €€ a b",
    ],
    ["what is no tag", "1 < 2 <3 <> a<", "1 < 2 <3 <> a<"],
    ["links give their text", '<a href="http://x.test">click</a><img alt="x" src="y">', "click"],
    ["> within an attribute", "<a title=\"a>b\">c</a><a title='>'>d</a>", "cd"],
    ["a quote outside a value", '<a "b>c</a>', "c"],
    ["a tag that never ends", "a<b c", "a"],
    ["a value that never ends", 'a<b c="d>e', "a"],
    ["hidden by style", 'a<div style="color:red; DISPLAY : none">b<div>c</div>d</div>e', "ae"],
    [
      "hidden by reference",
      '<p style="display&colon;none">a</p><p style="display&#58;none">b</p>c',
      "c",
    ],
    ["hidden by visibility", "<span style='visibility:hidden'>a</span>b", "b"],
    ["hidden by attribute", "<div hidden>a</div>b<template>c</template>d", "bd"],
    [
      "not hidden",
      '<div class="hidden" data-x="display:none">a</div><p style="display:block">b',
      "a\nb",
    ],
    ["hidden, then closed by the next", "<p hidden>a<p>b<li hidden>c<li>d", "b\nd"],
    ["hidden and never closed", "a<div hidden>b<p>c", "a"],
    ["void elements hide nothing", "<img hidden>a<br hidden>b<hr>c", "ab\nc"],
    ["end tags without start", "a</div></b></pre>b</p>c", "ab\nc"],
    ["a raw text within noframes", "<noframes><style></noframes>text", "text"],
    ["a raw text within noembed", "a<noembed><!--</noembed>text", "atext"],
    ["a style within SVG", "<svg><style></svg>text", "text"],
    ["what SVG and MathML show", "a<svg>b<text>c</text></svg><math><mi>d</mi>e</math>", "a\nc\nd"],
    ["xmp shows its tags", "<xmp><b>x</b></xmp>y", "<b>x</b>\ny"],
    ["a comment may end with --!>", "<!-- x --!>text<!-- y -->", "text"],
    ["a quote within an unquoted value", "<a href=x'>one</a><b title='y'>two</b>", "onetwo"],
    ["U+0000 within a word", "ur\0gent", "urgent"],
    [
      "a no-break space next to an attribute",
      "<p\u00a0hidden>one</p><p hidden\u00a0>two</p>",
      "one\ntwo",
    ],
    ["a hidden element that another ends", "<div><span hidden>x</div>text", "text"],
    ["a hidden cell", "<table><tr><td hidden>x<td>a</tr><tr hidden><td>y<tr><td>b</table>", "a\nb"],
    ["a hidden paragraph that a block ends", "<p hidden>x<div>text</div>", "text"],
    ["the last declaration", '<p style="display:none;display:block">text', "text"],
    ["an important one", '<p style="display:none!important;display:block">x</p>text', "text"],
    [
      "values that there are not",
      '<p style="display:none;display:nothing">x<p style="visibility:no">text',
      "text",
    ],
    [
      "comments and escapes",
      '<i style="/*;*/d\\69splay:/**/none">x</i><i style="dis/**/play:none">text',
      "text",
    ],
    ["a declaration within brackets", '<i style="x{;display:none;}">text</i>', "text"],
    ["the first style attribute", "<i style='color:red' style='display:none'>text", "text"],
    [
      "visible within hidden",
      '<div style="visibility:hidden">x<i style="visibility:visible">text</i>y',
      "text",
    ],
    ["hidden, but displayed", '<p hidden style="display:block">text', "text"],
    [
      "display none cannot be undone within",
      '<p style="display:none"><b style="display:block">x</b></p>text',
      "text",
    ],
    ["boxes in a line part no words", 'ur<b style="display:inline-block"> gent </b>ly', "urgently"],
    ["a mark where a line may break", "ur<wbr>g\u00adent<wbr>\nly", "urg\u00adently"],
    ["what is put before its table", "<table><tr><td>two</td></tr>one</table>", "one\ntwo"],
    ["formatting that goes on", "<b hidden>x<p>y</b>text", "text"],
    ["options", "a<select><option>b<option hidden>c</select>d", "a\nb\nc\nd"],
    ["what scripts would replace", "a<noscript>b</noscript>c", "abc"],
    ["a hidden body", "<body hidden>x", ""],
    ["a frameset is none: mail is shown within a page", "<frameset><frame></frameset>text", "text"],
    ["what a click opens", "<details><summary>a</summary>b</details>", "a\nb"],
    ["nothing", "", ""],
  ])("%s", (_name, html, expected) => {
    expect(htmlToText(html)).toBe(expected);
  });

  test.each([
    ["<div>".repeat(200_000), ""],
    [`${"<div>".repeat(100_000)}x${"</div>".repeat(100_000)}`, "x"],
    ["<div hidden>".repeat(80_000), ""],
    ["<a ".repeat(300_000), ""],
    ["<a b='".repeat(150_000), ""],
    ["<!--".repeat(250_000), ""],
    ["<script></script".repeat(60_000), ""],
    [`<pre>${" ".repeat(1_000_000)}x`, "x"],
    [`<p style="display${" ".repeat(1_000_000)}">x`, "x"],
    [`<p style="display:none${" ".repeat(1_000_000)}x">x`, "x"],
    [`<p style="${" ".repeat(1_000_000)}display: none ">x`, ""],
    [`<p style="${";".repeat(1_000_000)}display:none">x`, ""],
    ["<".repeat(1_000_000), "<".repeat(1_000_000)],
    ["&".repeat(1_000_000), "&".repeat(1_000_000)],
  ])("1 MB is read in linear time (case %#)", (html, expected) => {
    expect(htmlToText(html) === expected).toBe(true);
  });

  test.each([
    ["<table><tr>".repeat(1_000), "<table><tr>"],
    ["<table><td>".repeat(1_000), "<table><td>"],
    ["<table><col>".repeat(1_000), "<table><col>"],
    ["<table><tbody>".repeat(1_000), "<td></p>"],
    ["<table><td>".repeat(1_000), "<table><td></p></td><tr></p><caption></p>"],
  ])("parts of tables in as many elements as are kept open (case %#)", (deep, end) => {
    for (let cut = 0; cut <= 6; cut++) {
      for (const before of ["", "<b>", "<div><b>"]) {
        const html = before.repeat(cut) + deep;
        expect(htmlToText(`${html}x${end}y`)).toMatch(/x.*y/s);
      }
    }
  });

  test("any text gives text, no longer than the HTML", () => {
    const token = fc.constantFrom(
      ...'<|>|</|<!--|-->|<p>|</p>|<div hidden>|</div>|<pre>|</pre>|<script>|</script>|<a b="|\'|"| |\n|x|&amp;|&|;|<br>|<td>'.split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        const html = tokens.join("");
        expect(htmlToText(html).length).toBeLessThanOrEqual(html.length);
      }),
      { seed: 20261120, numRuns: 2_000 },
    );
  });
});

describe("references", () => {
  test.each([
    ["&Alpha;&omega;&sigmaf;", "Αως"],
    ["&yuml;x&nbsp;y&euro;&hellip;&diams;", "ÿx y€…♦"],
    ["&copy 2020 &unknown; &;", "© 2020 &unknown; &;"],
    ["&#128;&#x93;&#150;", "€“–"],
    ["&#0;&#xd800;&#x110000;&#9999999999;", "\ufffd\ufffd\ufffd\ufffd"],
    ["&#x1f600;", "\u{1f600}"],
    ["&AMP;&amp;&notit;", "&&¬it;"],
    ["free&excl; now&period;", "free! now."],
    ["&NotEqualTilde;&bne;", "≂̸=⃥"],
  ])("%s", (html, expected) => {
    expect(htmlToText(html)).toBe(expected);
  });
});
