/** Links to the views, the chosen domain, and signing in. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon, type IconName } from "../../view/icon.ts";
import { attempt, call, isSignedIn, signIn } from "../client.ts";
import { domainName, domains } from "../domains.ts";
import { counts } from "../inbox.ts";
import { hashOf, type ViewName } from "../model/place.ts";
import { place } from "../navigation.ts";
import { onSend } from "./domain-view.ts";
import { Failure } from "./parts.ts";

const VIEWS: readonly {
  readonly view: ViewName;
  readonly words: string;
  readonly icon: IconName;
}[] = [
  { view: "rules", words: "Rules", icon: "rules" },
  { view: "inbox", words: "Inbox", icon: "mail" },
  { view: "logs", words: "Logs", icon: "logs" },
  { view: "domain", words: "Domain", icon: "shield" },
  { view: "sending", words: "Sending", icon: "share" },
  { view: "control", words: "Control", icon: "sliders" },
];

export function Views(): VNode {
  const unread = counts.value?.unread ?? 0;
  return html`<nav class="nav" aria-label="Views">${VIEWS.map(
    ({ view, words, icon }) =>
      html`<a href=${hashOf({ view, id: null })} aria-current=${place.value.view === view ? "page" : undefined}><${Icon} name=${icon} /><span>${words}</span>${
        view === "inbox" && unread > 0
          ? html`<span class="badge">${unread}<span class="sr"> unread</span></span>`
          : null
      }</a>`,
  )}</nav>`;
}

export function DomainChoice(): VNode | null {
  if (domains.value === null || domains.value.length === 0) return null;
  return html`<select class="select domain-choice" aria-label="Domain" value=${domainName.value} onChange=${(
    event: Event,
  ) => {
    domainName.value = (event.currentTarget as HTMLSelectElement).value;
  }}>${domains.value.map(({ domain }) => html`<option value=${domain}>${domain}</option>`)}</select>`;
}

/** Shown in place of the domain's views until the service's key is known. */
export function SignIn(): VNode {
  const send = onSend((value) =>
    attempt(async () => {
      signIn(value("key"));
      await call("GET", "/v4/domains?limit=1");
    }),
  );
  return html`<main id="main" class="scroll"><div class="cards"><section class="card" aria-label="Sign in"><form class="pad form" onSubmit=${send}><h1>Sign in</h1>
    <p class="soft">Domains, rules and logs ask for the API key, which the service printed when it started. It stays in this tab.</p>
    <input type="hidden" autocomplete="username" value="api" />
    <label class="field"><span class="label">API key</span><input class="input mono" type="password" name="key" autocomplete="current-password" required /></label>
    <${Failure} /><div class="row"><button class="btn btn-primary">Sign in</button></div></form></section></div></main>`;
}

/** Views that need version 4 of the API, and so its key. */
export function asksForKey(view: ViewName): boolean {
  return !isSignedIn.value && view !== "inbox" && view !== "control";
}
