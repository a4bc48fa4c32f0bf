/** Fills an empty service with a world. */
import { roomFor } from "../account.ts";
import { addDefaultAlias, addDomain } from "../domains/create-domain.ts";
import type { DnsZone } from "../domains/dns-zone.ts";
import { verifyDomain } from "../domains/verify.ts";
import { ServiceProblem } from "../problem.ts";
import { ACCOUNTS, type AccountRow, DOMAINS, type Plan } from "../records.ts";
import { addAlias } from "../routing/aliases.ts";
import { addRule } from "../routing/rules.ts";
import { addCredential, readCredential } from "../sending/credentials.ts";
import { addTemplate } from "../sending/templates.ts";
import type { Service } from "../service.ts";
import { parseWorld, type World, type WorldDomain } from "./world.ts";

const DAY_MS = 86_400_000;

/** A paid plan so large that no test reaches its limits by accident. */
const DEFAULT_PLAN: Plan = {
  name: "business",
  kind: "premium",
  price: 49,
  billing_cycle: "monthly",
  domains_limit: 1_000,
  aliases_limit: 100_000,
  rules_limit: 100_000,
  daily_receive_limit: 1_000_000,
  daily_send_limit: 100_000,
  monthly_receive_limit: 0,
  monthly_send_limit: 0,
};

/** Defaults of a plan of the kind `free`. */
// ASSUMPTION(free-plan): a free plan has one domain, 25 aliases, 25 rules, 500 messages a day in, and none out
const FREE_PLAN: Plan = {
  name: "free",
  kind: "free",
  price: 0,
  billing_cycle: "monthly",
  domains_limit: 1,
  aliases_limit: 25,
  rules_limit: 25,
  daily_receive_limit: 500,
  daily_send_limit: 0,
  monthly_receive_limit: 0,
  monthly_send_limit: 0,
};

/** The default world: an account without domains, which may show one brand. */
export const DEFAULT_WORLD: World = { whitelabels: ["mail.brand.example"] };

function accountOf(
  { account = {}, plan = {}, whitelabels = [] }: World,
  nowMs: number,
): AccountRow {
  const email = account.email ?? "owner@account.example";
  return {
    id: "account",
    email,
    name: account.name ?? "Account Owner",
    address: account.address ?? "1 Example Street",
    country: account.country ?? "US",
    billingEmail: account.billing_email ?? null,
    companyName: account.company_name ?? "",
    companyDetails: account.company_details ?? "",
    companyVat: account.company_vat ?? null,
    cardBrand: "visa",
    last4: "4242",
    createdMs: nowMs,
    renewsMs: nowMs + 30 * DAY_MS,
    cancelsMs: null,
    logRetentionDays: account.email_log_retention_days ?? 90,
    lockReason: account.lock_reason ?? null,
    privacyLevel: account.privacy_level ?? 0,
    plan: { ...(plan.kind === "free" ? FREE_PLAN : DEFAULT_PLAN), ...plan },
    whitelabels,
  };
}

/** Runs `work`; its errors are put under `path`. */
async function under<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ServiceProblem)) throw thrown;
    const fields = Object.entries(thrown.errors).map(([field, messages]) => {
      const place = `${path}.${field}`;
      return [place, messages.map((message) => `${place}: ${message}`)] as const;
    });
    const all = fields.length > 0 ? fields : [[path, [`${path}: ${thrown.message}`]] as const];
    throw new ServiceProblem(400, all[0]![1][0]!, Object.fromEntries(all));
  }
}

async function seedDomain(service: Service, domain: WorldDomain, path: string): Promise<string> {
  const row = await under(path, () => addDomain(service, domain));
  if (domain.banned === true) {
    await service.store.table(DOMAINS).replace({ ...row, banned: true });
  }
  const each = async <Input>(
    name: string,
    inputs: readonly Input[] | undefined,
    add: (input: Input) => Promise<unknown>,
  ): Promise<void> => {
    for (const [index, input] of (inputs ?? []).entries()) {
      await under(`${path}.${name}[${index}]`, () => add(input));
    }
  };
  if (domain.aliases === undefined) await under(path, () => addDefaultAlias(service, row));
  const aliases = await roomFor(service, "aliases");
  const rules = await roomFor(service, "rules");
  await each("aliases", domain.aliases, (input) => addAlias(service, row, input, aliases));
  await each("rules", domain.rules, (input) => addRule(service, row, input, rules));
  await each("credentials", domain.credentials, async (input) =>
    addCredential(service, row.domain, await readCredential(service, input)),
  );
  await each("templates", domain.templates, (input) => addTemplate(service, row.domain, input));
  return row.domain;
}

/**
 * Fills a service that has no account yet, sets the zone, and verifies every domain against the DNS. An invalid world throws
 * 400, with errors under paths such as `domains[0].rules[2].config.regex`, and leaves nothing.
 */
export async function seedWorld(service: Service, zone: DnsZone, value: unknown): Promise<void> {
  const world = parseWorld(value);
  const names = await service.store.transaction(async () => {
    const accounts = service.store.table(ACCOUNTS);
    if ((await accounts.get("account")) !== undefined) {
      throw new ServiceProblem(400, "the service has a world already: empty it first");
    }
    await accounts.insert(accountOf(world, service.clock.nowMs()));
    const seeded: string[] = [];
    for (const [index, domain] of (world.domains ?? []).entries()) {
      seeded.push(await seedDomain(service, domain, `domains[${index}]`));
    }
    return seeded;
  });
  zone.restore(world.dns ?? []);
  // Part of its creation, not a change of its own.
  for (const name of names) await verifyDomain(service, name, (updatedMs) => updatedMs);
}
