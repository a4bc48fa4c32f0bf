/** The text of HTML. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEntities, pointsByName } from "../../src/mail/html-entities.ts";
import { htmlToText } from "../../src/mail/html-text.ts";

describe("html-text: htmlToText", () => {
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
      '<p style="display&colon;none">a</p><p style="display&#58;none">b</p>',
      "a",
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
    ["void elements hide nothing", "<img hidden>a<br hidden>b", "a\nb"],
    ["end tags without start", "a</div></b></pre>b", "a\nb"],
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
    ["<".repeat(1_000_000), "<".repeat(1_000_000)],
    ["&".repeat(1_000_000), "&".repeat(1_000_000)],
  ])("1 MB is read in linear time (case %#)", (html, expected) => {
    expect(htmlToText(html) === expected).toBe(true);
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

describe("decodeEntities", () => {
  test("every name means its own code point", () => {
    expect(pointsByName().size).toBe(253);
    for (const [name, point] of pointsByName()) {
      expect(decodeEntities(`&${name};&x${name};`)).toBe(
        `${String.fromCodePoint(point)}&x${name};`,
      );
    }
  });

  test.each([
    ["&Alpha;&omega;&sigmaf;", "Αως"],
    ["&yuml;&nbsp;&euro;&hellip;&diams;", "ÿ\u00a0€…♦"],
    ["&copy 2020 &unknown; &;", "© 2020 &unknown; &;"],
    ["&#128;&#x93;&#150;", "€“–"],
    ["&#0;&#xd800;&#x110000;&#9999999999;", "\ufffd\ufffd\ufffd\ufffd"],
    ["&#x1f600;", "\u{1f600}"],
    ["&AMP;&amp;", "&AMP;&"],
  ])("%s", (text, expected) => {
    expect(decodeEntities(text)).toBe(expected);
  });
});
