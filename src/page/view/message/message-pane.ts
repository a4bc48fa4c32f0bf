/** The current message, which can be edited, and below it what happens to it. */
import { computed } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Scope } from "../../../engine/routing/resolution.ts";
import type { Mark } from "../../model/decide.ts";
import { composeMessage, type Mail } from "../../model/mail.ts";
import { markWithin, partsOf, type TextPart } from "../../model/text-parts.ts";
import { editMail, mail, mailIndex, mails, marks, showMail } from "../../state.ts";
import { download } from "../download.ts";
import { html } from "../html.ts";
import { Icon } from "../icon.ts";
import { openFiles } from "../open-mail.ts";
import { drawnOnChange, steady, work } from "../work.ts";
import { DecisionBox } from "./decision.ts";
import { Marked } from "./marked.ts";
import { Trace } from "./trace.ts";
import { WhyNot } from "./why-not.ts";

function Field({
  name,
  scope,
  label,
}: {
  name: "recipient" | "sender" | "subject";
  scope: Scope;
  label: string;
}): VNode {
  const value = mail.value[name];
  const mark = marks.value[scope];
  const id = `mail-${name}`;
  return html`<label class="mail-field" for=${id}><span>${label}</span>
    <span class="marked-input">
      <span class="marked-under mono" aria-hidden="true"><${Marked} text=${value} mark=${mark} /></span>
      <input class="mono" id=${id} value=${value} spellcheck="false"
        onInput=${(event: Event) => editMail({ [name]: (event.currentTarget as HTMLInputElement).value })} />
    </span></label>`;
}

/** Drawn again only when its text or its marks change: a keystroke in a large body changes one part. */
const BodyPart = drawnOnChange(
  ({ text, mark }: { text: string; mark: Mark | undefined }): VNode => {
    work.parts++;
    return html`<div><${Marked} text=${text} mark=${mark} /></div>`;
  },
);

const BodyInput = drawnOnChange(
  ({ body }: { body: string }): VNode => html`<textarea aria-label="Body" value=${body}
    spellcheck="false" onInput=${(event: Event) => editMail({ body: (event.currentTarget as HTMLTextAreaElement).value })}></textarea>`,
);

/** They stay the same while nothing changes, so a keystroke elsewhere does not redraw the body. */
const bodyText = computed(() => mail.value.body);
const bodyMark = steady(() => marks.value.body);

function Body(): VNode {
  const body = bodyText.value;
  const drawn = useRef<readonly TextPart[]>([]);
  drawn.current = partsOf(body, drawn.current);
  const mark = bodyMark.value;
  let end = 0;
  const parts = drawn.current.map(({ key, text }) => {
    const start = end;
    end += text.length;
    return html`<${BodyPart} key=${key} text=${text} mark=${markWithin(mark, { start, end })} />`;
  });
  // The textarea has a line after the last line break, which the text below it needs as well.
  const last = body.endsWith("\n") ? html`<div key="last">${"\n"}</div>` : null;
  return html`<div class="marked-area"><div class="marked-under" aria-hidden="true">${parts}${last}</div>
    <${BodyInput} body=${body} /></div>`;
}

const MailParts = drawnOnChange(
  ({ attachments, headers, size }: Pick<Mail, "attachments" | "headers" | "size">): VNode =>
    html`<div class="row wrap extras">
    ${attachments.map(
      ({
        filename,
        contentType,
        size: octets,
      }) => html`<span class="chip"><${Icon} name="clip" small="small" />${filename || contentType}
        <span class="faint">${octets.toLocaleString("en")} octets</span></span>`,
    )}
    ${
      headers.size === 0
        ? null
        : html`<details><summary>${headers.size} headers</summary><dl class="facts">${[
            ...headers,
          ].map(
            ([name, values]) =>
              html`<dt class="mono">${name}</dt><dd class="mono">${values.join("\n")}</dd>`,
          )}</dl></details>`
    }
    <span class="faint xs">${size > 0 ? `${size.toLocaleString("en")} octets` : ""}</span></div>`,
);

function Extras(): VNode {
  const { attachments, headers, size } = mail.value;
  return html`<${MailParts} attachments=${attachments} headers=${headers} size=${size} />`;
}

/** The names to choose from: they stay the same while a message is edited. */
const choices = steady(() => {
  // A select with ten thousand messages is slow: the neighbours of the one shown are enough.
  const first = Math.max(0, mailIndex.value - 50);
  const shown = mails.value.slice(first, first + 100);
  const names = shown.map(({ name, edited }) => `${name}${edited ? ", edited" : ""}`);
  return { first, names, count: mails.value.length };
});

function Picker(): VNode {
  const { first, names, count } = choices.value;
  return html`<select class="select grow" aria-label="Message" value=${mailIndex.value}
      onChange=${(event: Event) => showMail(Number((event.currentTarget as HTMLSelectElement).value))}>
      ${names.map((name, index) => html`<option value=${String(first + index)}>${name}</option>`)}
    </select>
    <button class="btn btn-quiet btn-icon" aria-label="Previous message" disabled=${mailIndex.value === 0}
      onClick=${() => showMail(mailIndex.value - 1)}><${Icon} name="left" /></button>
    <button class="btn btn-quiet btn-icon" aria-label="Next message" disabled=${mailIndex.value >= count - 1}
      onClick=${() => showMail(mailIndex.value + 1)}><${Icon} name="right" /></button>`;
}

/** Saves the message as it is now; the page has no contents of attachments. */
function DownloadMail(): VNode {
  const lacks = mail.value.attachments.length === 0 ? "" : ", without its attachments";
  const save = (): void =>
    download(`${mail.value.name.replace(/\.eml$/i, "")}.eml`, composeMessage(mail.value));
  return html`<button class="btn btn-quiet btn-icon hide-phone" aria-label=${`Download the message${lacks}`} title=${`Download${lacks}`}
    onClick=${save}><${Icon} name="save" /></button>`;
}

export function MessagePane(): VNode {
  const choose = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    if (input.files !== null) void openFiles([...input.files]);
    input.value = "";
  };
  return html`<section class="pane" aria-labelledby="h-mail" id="message">
    <div class="pane-head"><h2 id="h-mail" class="hide-phone">Message</h2><${Picker} /><${DownloadMail} />
      <label class="btn"><${Icon} name="open" /><span>Open<span class="hide-phone"> mail</span></span>
        <input type="file" id="open-mail" multiple class="sr" onChange=${choose} /></label></div>
    <div class="scroll" tabindex="0" role="region" aria-label="Message, decision and trace">
      <div class="mail-fields">
        <${Field} name="recipient" scope="recipient" label="To" />
        <${Field} name="sender" scope="sender" label="From" />
        <${Field} name="subject" scope="subject" label="Subject" />
        <${Extras} /></div>
      <${Body} /><${DecisionBox} /><${WhyNot} /><${Trace} />
    </div></section>`;
}
