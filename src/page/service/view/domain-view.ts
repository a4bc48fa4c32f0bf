/** The chosen domain: how its mail is routed, the DNS records to set, and its aliases. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon, type IconName } from "../../view/icon.ts";
import { drawnOnChange } from "../../view/work.ts";
import {
  aliases,
  changeDomain,
  checkRecords,
  domainName,
  domains,
  pathOf,
  records,
  type ServiceAlias,
} from "../domains.ts";
import { type RecordLine, recordLines } from "../model/dns-records.ts";
import { Bar, Card, Confirm, CopyButton, Failure } from "./parts.ts";

const STATES: Readonly<
  Record<RecordLine["state"], { icon: IconName; words: string; verdict: string }>
> = {
  found: { icon: "matched", words: "found", verdict: "matched" },
  other: { icon: "failed", words: "other value", verdict: "failed" },
  missing: { icon: "bad", words: "missing", verdict: "rejected" },
};

function RecordRow({ line }: { line: RecordLine }): VNode {
  const { icon, words, verdict } = STATES[line.state];
  const { type, name, value, actual } = line;
  return html`<tr><td><span class=${`row v-${verdict}`}><${Icon} name=${icon} />${words}</span></td><td><code>${type}</code></td>
    <td><code class="block">${name}</code><code class="block soft">${value}</code>${actual === "" ? null : html`<span class="v-failed xs">in DNS now: <code>${actual}</code></span>`}</td>
    <td><${CopyButton} text=${value} what=${`the value of ${type} ${name}`} /></td></tr>`;
}

function RecordsCard({ name }: { name: string }): VNode {
  const lines = records.value === null ? null : recordLines(name, records.value);
  const left = lines?.filter(({ state }) => state !== "found").length;
  const check = html`<button class="btn" onClick=${() => void checkRecords()}>${lines === null ? "Check DNS" : "Check again"}</button>`;
  return html`<${Card} title="DNS records" actions=${check}>${
    lines === null
      ? html`<p class="pad soft">Check the DNS to see which records the domain has, and which to set.</p>`
      : html`<p class="pad" role="status">${left === 0 ? "All records are set." : `${left} of ${lines.length} are to be set.`}</p>
        <div class="scroll-x" tabindex="0" role="region" aria-label="DNS records to set"><table class="table records"><thead><tr><th scope="col">State</th><th scope="col">Type</th><th scope="col">Name and value</th><th scope="col"><span class="sr">Copy</span></th></tr></thead>
        <tbody>${lines.map((line) => html`<${RecordRow} line=${line} />`)}</tbody></table></div>`
  }<//>`;
}

function fieldOf(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? "").trim();
}

/** Handles a submitted form: gives `act` its values, and clears the fields if that worked. */
export function onSend(
  act: (value: (name: string) => string) => Promise<boolean>,
): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void act((name) => fieldOf(form, name)).then((worked) => {
      if (worked) form.reset();
    });
  };
}

/** Drawn again only when the alias itself has changed: drawing resets a text that is being typed. */
const AliasRow = drawnOnChange(({ id, alias: name, forward }: ServiceAlias): VNode => {
  const path = (): string => pathOf(`/aliases/${id}`);
  const change = (event: Event): void => {
    const text = (event.currentTarget as HTMLInputElement).value.trim();
    if (text !== forward) void changeDomain("PUT", path(), { forward: text });
  };
  return html`<tr><td><code>${name}</code></td><td><input class="input mono" aria-label=${`Destinations of ${name}`} value=${forward} onChange=${change} /></td>
    <td><button class="btn btn-quiet btn-icon btn-risk" aria-label=${`Delete the alias ${name}`} onClick=${() => void changeDomain("DELETE", path())}><${Icon} name="bin" /></button></td></tr>`;
});

function AliasesCard(): VNode {
  const add = onSend((value) =>
    changeDomain("POST", pathOf("/aliases"), { alias: value("alias"), forward: value("forward") }),
  );
  return html`<${Card} title=${`Aliases`} actions=${html`<span class="count">${aliases.value.length}</span>`}>
    <div class="scroll-x"><table class="table"><thead><tr><th scope="col">Alias</th><th scope="col">Goes to</th><th scope="col"><span class="sr">Delete</span></th></tr></thead>
    <tbody>${aliases.value.map((alias) => html`<${AliasRow} key=${alias.id} id=${alias.id} alias=${alias.alias} forward=${alias.forward} />`)}</tbody></table></div>
    <form class="pad row wrap" onSubmit=${add}><input class="input mono grow" name="alias" aria-label="New alias" placeholder="orders, or *" required />
      <input class="input mono grow" name="forward" aria-label="Its destinations" placeholder="team@example.com" required /><button class="btn"><${Icon} name="add" />Add alias</button></form><//>`;
}

const put = (body: object): void => void changeDomain("PUT", pathOf(), body);

/** Drawn again only when the address itself has changed, as a row of the aliases is. */
const FallbackField = drawnOnChange(({ address }: { address: string }): VNode => {
  const change = (event: Event): void => {
    const text = (event.currentTarget as HTMLInputElement).value.trim();
    put({ rules_fallback_email: text === "" ? null : text });
  };
  return html`<label class="field"><span class="label">Mail that no rule takes goes to</span><input class="input mono" placeholder="nobody" value=${address} onChange=${change} /></label>`;
});

function RoutingCard({ name }: { name: string }): VNode {
  const row = domains.value?.find(({ domain }) => domain === name);
  const engine = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    put({ routing_engine: value === "" ? null : value });
  };
  return html`<${Card} title="Routing"><div class="pad form">
    <label class="field"><span class="label">Mail is routed by</span><select class="select" value=${row?.routing_engine ?? ""} onChange=${engine}>
      <option value="alias">aliases</option><option value="rules">rules</option><option value="">nothing: mail is refused</option></select></label>
    <${FallbackField} address=${row?.rules_fallback_email ?? ""} />
    <p class="soft">${row?.forwarding_ready ? "The domain receives mail." : "The MX records do not point here yet."} ${row?.send_ready ? "It may send." : "It may not send yet."}</p></div><//>`;
}

export function DomainView(): VNode {
  const name = domainName.value;
  const add = onSend(async (value) => {
    const domain = value("domain");
    const isAdded = await changeDomain("POST", "/v4/domains", { domain, routing_engine: "rules" });
    if (isAdded) domainName.value = domain.toLowerCase();
    return isAdded;
  });
  const count = domains.value?.length ?? 0;
  return html`<${Bar} title=${name ?? "Domains"} says=${`${count} ${count === 1 ? "domain" : "domains"} in the account`}>
      ${name === null ? null : html`<button class="btn btn-risk" popovertarget="delete-domain">Delete…</button><${Confirm} id="delete-domain" words=${`Delete ${name} with all its rules, aliases and logs?`} verb="Delete the domain" act=${() => void changeDomain("DELETE", pathOf())} />`}<//>
    <main id="main" class="scroll"><div class="cards"><${Failure} />${name === null ? null : html`<${RoutingCard} name=${name} /><${RecordsCard} name=${name} /><${AliasesCard} />`}
    <${Card} title="Add a domain"><form class="pad row wrap" onSubmit=${add}><input class="input mono grow" name="domain" aria-label="Name of the domain" placeholder="example.com" required /><button class="btn"><${Icon} name="add" />Add domain</button></form><//></div></main>`;
}
