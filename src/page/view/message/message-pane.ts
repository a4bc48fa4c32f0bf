/** The message at hand, which can be typed over, and below it what becomes of it. */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Scope } from "../../../engine/routing/resolution.ts";
import type { Mark } from "../../model/decide.ts";
import type { Mail } from "../../model/mail.ts";
import { decided, editMail, mail, mailIndex, mails, notice, showMail } from "../../state.ts";
import { html } from "../html.ts";
import { Icon } from "../icon.ts";
import { openFiles } from "../open-mail.ts";
import { drawnOnChange } from "../work.ts";
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
  const mark = decided.value?.marks[scope];
  const id = `mail-${name}`;
  return html`<label class="mail-field" for=${id}><span>${label}</span>
    <span class="marked-input">
      <span class="marked-under mono" aria-hidden="true"><${Marked} text=${value} mark=${mark} /></span>
      <input class="mono" id=${id} value=${value} spellcheck="false"
        onInput=${(event: Event) => editMail({ [name]: (event.currentTarget as HTMLInputElement).value })} />
    </span></label>`;
}

/** Drawn anew when the text or what is marked in it changes: a field of a large message that is typed in leaves it alone. */
const BodyText = drawnOnChange(
  ({
    body,
    mark,
  }: {
    body: string;
    mark: Mark | undefined;
  }): VNode => html`<div class="marked-area">
    <div class="marked-under" aria-hidden="true"><${Marked} text=${`${body}\n`} mark=${mark} /></div>
    <textarea aria-label="Body" value=${body} spellcheck="false"
      onInput=${(event: Event) => editMail({ body: (event.currentTarget as HTMLTextAreaElement).value })}></textarea></div>`,
);

function Body(): VNode {
  const { body } = mail.value;
  const shown = useRef<Mark | undefined>(undefined);
  const mark = decided.value?.marks.body;
  if (JSON.stringify(mark) !== JSON.stringify(shown.current)) shown.current = mark;
  return html`<${BodyText} body=${body} mark=${shown.current} />`;
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

function Picker(): VNode {
  const all = mails.value;
  // A select of ten thousand messages is slow: the neighbours of the one shown are enough.
  const first = Math.max(0, mailIndex.value - 50);
  const shown = all.slice(first, first + 100);
  return html`<select class="select grow" aria-label="Message" value=${mailIndex.value}
      onChange=${(event: Event) => showMail(Number((event.currentTarget as HTMLSelectElement).value))}>
      ${shown.map((each, index) => html`<option value=${first + index}>${`${each.name}${each.edited ? ", edited" : ""}`}</option>`)}
    </select>
    <button class="btn btn-quiet btn-icon" aria-label="Previous message" disabled=${mailIndex.value === 0}
      onClick=${() => showMail(mailIndex.value - 1)}><${Icon} name="left" /></button>
    <button class="btn btn-quiet btn-icon" aria-label="Next message" disabled=${mailIndex.value >= all.length - 1}
      onClick=${() => showMail(mailIndex.value + 1)}><${Icon} name="right" /></button>`;
}

export function MessagePane(): VNode {
  const choose = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    if (input.files !== null) void openFiles([...input.files]);
    input.value = "";
  };
  const bad = notice.value?.kind === "bad" ? notice.value : null;
  return html`<section class="pane" aria-labelledby="h-mail" id="message">
    <div class="pane-head"><h2 id="h-mail" class="hide-phone">Message</h2><${Picker} />
      <label class="btn"><${Icon} name="open" /><span>Open<span class="hide-phone"> mail</span></span>
        <input type="file" id="open-mail" multiple class="sr" onChange=${choose} /></label></div>
    <div class="scroll" tabindex="0" role="region" aria-label="Message, decision and trace">
      ${bad === null ? null : html`<div class="notice notice-bad" role="alert"><${Icon} name="bad" /><span>${bad.text}</span></div>`}
      <div class="mail-fields">
        <${Field} name="recipient" scope="recipient" label="To" />
        <${Field} name="sender" scope="sender" label="From" />
        <${Field} name="subject" scope="subject" label="Subject" />
        <${Extras} /></div>
      <${Body} /><${DecisionBox} /><${WhyNot} /><${Trace} />
    </div></section>`;
}
