/** Random mail: any bytes, and texts from the tokens that mail readers trip over. */
import fc from "fast-check";

const TOKENS: readonly string[] = [
  "From: a@b.test\n",
  "From : ",
  "From x y\n",
  "Subject: ",
  "=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=",
  "=?utf-8?B?w6k",
  "?=",
  "\n",
  "\n\n",
  " ",
  "\t",
  "\n ",
  "--b\n",
  "--b \n",
  "--b--\n",
  "--c\n",
  "--c--\n",
  "Content-Type: multipart/mixed; boundary=b\n",
  "Content-Type: multipart/digest; boundary=c\n",
  "Content-Type: multipart/mixed\n",
  "Content-Type: text/html\n",
  "Content-Type: text/plain; charset=utf-16; format=flowed\n",
  "Content-Type: text/plain; charset=iso-2022-jp; delsp=yes; format=flowed\n",
  "Content-Type: message/rfc822\n",
  "Content-Disposition: inline\n",
  "Content-Disposition: attachment; filename*=utf-8''%C3%A9\n",
  'Content-Transfer-Encoding: "base64"\n',
  "Content-Transfer-Encoding: quoted-printable\n",
  "<p>",
  "</p>",
  "<pre>",
  "<div hidden>",
  "<!--",
  "&amp;",
  "=20",
  "=\n",
  "aGVsbG8=",
  '"',
  "(",
  "<",
  ">",
  ",",
  ":",
  ";",
  "\\",
  "\x00",
  "\r",
  "\xe9",
  "\xc3\xa9",
  "\x1b$B",
  "\xef\xbb\xbf",
  "word",
];

/** Octets as a text of code units below 256. */
export const tokenMail: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 40 })
  .map((tokens) => tokens.join(""));

/** Any octets at all, and token mail. */
export const anyMail: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 4, arbitrary: tokenMail.map((text) => new Uint8Array(Buffer.from(text, "latin1"))) },
);
