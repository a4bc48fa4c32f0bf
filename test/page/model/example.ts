/** The demo's domain and messages, as the page has them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CompiledDomain } from "../../../src/engine/routing/compile-domain.ts";
import { createDraftCompiler } from "../../../src/page/model/compile.ts";
import { type DomainDraft, readDomain } from "../../../src/page/model/domain.ts";
import { type Mail, readMessage } from "../../../src/page/model/mail.ts";

const DEMO = fileURLToPath(new URL("../../../corpus/demo", import.meta.url));

export function compileOn(): {
  draft: DomainDraft;
  mails: readonly Mail[];
  domain: CompiledDomain;
} {
  const draft = readDomain(JSON.parse(readFileSync(`${DEMO}/domain.json`, "utf8")));
  const { domain } = createDraftCompiler().compile(draft);
  if (domain === null) throw new Error("the demo's domain does not compile");
  const mails = readdirSync(`${DEMO}/messages`)
    .sort()
    .flatMap((name) => readMessage(readFileSync(`${DEMO}/messages/${name}`), name, draft.domain));
  return { draft, mails, domain };
}
