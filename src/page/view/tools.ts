/** The bar above the panes: what is not saved, undo and redo, download, share, save. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Decision } from "../../engine/routing/resolution.ts";
import { destinationText } from "../../rehearse/outcome.ts";
import { domainFile } from "../model/domain.ts";
import { composeMessage } from "../model/mail.ts";
import { packState } from "../model/share.ts";
import { dryRun } from "../service/domains.ts";
import {
  decided,
  discardEdits,
  draft,
  edits,
  history,
  keeper,
  mail,
  problemCount,
  redoEdit,
  saveEdits,
  undoEdit,
} from "../state.ts";
import { download } from "./download.ts";
import { html } from "./html.ts";
import { Icon } from "./icon.ts";

const counted = (count: number, word: string): string =>
  `${count} ${word}${count === 1 ? "" : "s"}`;

function SharePopover(): VNode {
  const link = useSignal("");
  const problem = useSignal("");
  const copied = useSignal("");
  const copy = async (): Promise<void> => {
    const text = link.value;
    await navigator.clipboard.writeText(text);
    copied.value = text;
  };
  const withMail = useSignal(true);
  const made = useRef(0);
  const make = async (): Promise<void> => {
    const mine = ++made.current;
    [link.value, problem.value] = ["", ""];
    try {
      const { saved } = history.value;
      const shown = withMail.value ? mail.value : null;
      const packed = await packState({ saved, draft: draft.value, mail: shown });
      // The link of before may hold the message that is now left out.
      if (mine === made.current) link.value = `${location.href.replace(/#.*/, "")}#s=${packed}`;
    } catch (error) {
      if (mine === made.current) problem.value = (error as Error).message;
    }
  };
  const onToggle = (event: ToggleEvent): void => {
    if (event.newState === "open") void make();
  };
  return html`<div class="pop pop-right" id="share" popover role="dialog" aria-labelledby="share-h" onToggle=${onToggle}>
    <h2 id="share-h">Share what you see</h2>
    <p class="soft">The link holds the rules, your edits and this message. They are packed into the part after #, which browsers never send.</p>
    <div class="row"><input class="input mono" readonly aria-label="Link" value=${link.value} />
      <button class="btn btn-primary" disabled=${link.value === ""} onClick=${copy}>${link.value !== "" && copied.value === link.value ? "Copied" : "Copy"}</button></div>
    ${problem.value === "" ? null : html`<p class="notice notice-bad" role="alert"><${Icon} name="bad" /><span>${problem.value}</span></p>`}
    <label class="check"><input type="checkbox" checked=${!withMail.value} onChange=${() => {
      withMail.value = !withMail.value;
      void make();
    }} />Leave the message out</label></div>`;
}

/** The service's own answer about the current message and the edited rules: it has the last word. */
function ServiceWord(): VNode | null {
  const said = useSignal<string | null>(null);
  const now = decided.value;
  const mine = now === null ? "" : placesOf(now.decision);
  useEffect(() => {
    if (keeper.value.kind !== "service" || problemCount.value > 0) return;
    said.value = null;
    const { recipient, sender } = mail.value;
    const asked = { recipient, sender, message: composeMessage(mail.value) };
    let isOld = false;
    const say = (words: string): void => {
      if (!isOld) said.value = words;
    };
    void dryRun(draft.value, asked).then(
      (answer) => {
        const places = placesOf(answer);
        say(
          places === mine
            ? `The service agrees: ${places}`
            : `The service says: ${places}, not ${mine}`,
        );
      },
      (error: Error) => {
        say(`The service cannot say: ${error.message}`);
      },
    );
    return () => {
      isOld = true;
    };
  }, [draft.value, mail.value]);
  if (keeper.value.kind !== "service") return null;
  return html`<p class="soft" role="status">${said.value ?? "Asking the service about the message at hand"}</p>`;
}

function placesOf({
  action,
  destinations,
}: Pick<Decision, "destinations"> & { readonly action: string }): string {
  return destinations.map(destinationText).join(", ") || `${action}ed`;
}

function ReviewPopover(): VNode {
  const isOpen = useSignal(false);
  const count = edits.value.length;
  const problems = problemCount.value;
  const save = (): void => {
    document.getElementById("review")?.hidePopover();
    void saveEdits(domainFile(draft.value));
  };
  return html`<div class="pop pop-right" id="review" popover role="dialog" aria-labelledby="review-h" onToggle=${(
    event: ToggleEvent,
  ) => {
    isOpen.value = event.newState === "open";
  }}>
    <h2 id="review-h">Save ${counted(count, "edit")} to ${draft.value.domain}?</h2>
    <dl class="facts">${edits.value.map(({ id, what }) => html`<dt>${id}</dt><dd>${what}</dd>`)}</dl>
    ${problems === 0 ? null : html`<div class="notice notice-bad"><${Icon} name="bad" /><span>${counted(problems, "error")}: fix ${problems === 1 ? "it" : "them"} before you save.</span></div>`}
    ${isOpen.value ? html`<${ServiceWord} />` : null}
    <div class="row"><button class="btn" popovertarget="review" popovertargetaction="hide">Keep editing</button><span class="grow"></span>
      <button class="btn btn-primary" id="save" disabled=${problems > 0 || count === 0} onClick=${save}>Save ${counted(count, "edit")}</button></div></div>`;
}

export function downloadDomain(): void {
  download(`${draft.value.domain}.json`, domainFile(draft.value));
}

export function Tools(): VNode {
  const count = edits.value.length;
  const { past, future } = history.value;
  const saved = count === 0;
  const undoLabel = past[0] === undefined ? "Undo" : `Undo: ${past[0].label}`;
  const redoLabel = future[0] === undefined ? "Redo" : `Redo: ${future[0].label}`;
  return html`<section class="tools" aria-label="Actions"><h1 class="sr">Rules of ${draft.value.domain}</h1>
    ${
      saved
        ? html`<span class="soft cut grow">All edits are saved</span>`
        : html`<span class="edited before strong">${counted(count, "edit")} not saved</span>
          <span class="soft cut grow hide-phone">${edits.value.map(({ id, what }) => `${id}: ${what}`).join("; ")}</span>
          <button class="btn-link hide-phone" onClick=${discardEdits}>Discard</button>`
    }
    <button class="btn btn-quiet btn-icon" aria-label=${undoLabel} title=${undoLabel} disabled=${past.length === 0} onClick=${undoEdit}><${Icon} name="undo" /></button>
    <button class="btn btn-quiet btn-icon" aria-label=${redoLabel} title=${redoLabel} disabled=${future.length === 0} onClick=${redoEdit}><${Icon} name="redo" /></button>
    <button class="btn btn-quiet hide-phone" onClick=${downloadDomain}><${Icon} name="save" />Download</button>
    <button class="btn btn-quiet" popovertarget="share"><${Icon} name="share" />Share</button>
    ${keeper.value.kind !== "download" ? html`<button class="btn btn-primary" id="review-open" popovertarget="review" disabled=${saved}>Review<span class="hide-phone"> and save</span></button>` : null}
    <${SharePopover} /><${ReviewPopover} /></section>`;
}
