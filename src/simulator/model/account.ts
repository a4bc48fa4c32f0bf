/** The account, what its plan allows, and the brands it may show (API v4 §2 Account, v3 §4 Account). */
import { ServiceProblem } from "./problem.ts";
import { ACCOUNTS, type AccountRow, ALIASES, DOMAINS, type Plan, RULES } from "./records.ts";
import type { Service } from "./service.ts";
import { isOverQuota } from "./usage.ts";

export interface Account {
  readonly row: AccountRow;
  readonly overQuota: boolean;
}

/** The account's row; a service without one has not been seeded, which is a defect. */
export async function accountRow(service: Service): Promise<AccountRow> {
  const row = await service.store.table(ACCOUNTS).get("account");
  if (row === undefined) throw new Error("the service has no account: seed a world first");
  return row;
}

export async function getAccount(service: Service): Promise<Account> {
  const row = await accountRow(service);
  return { row, overQuota: await isOverQuota(service, row.plan) };
}

/** In the order of the account. */
export async function listWhitelabels(service: Service): Promise<readonly string[]> {
  return (await accountRow(service)).whitelabels;
}

export function isPaid(plan: Plan): boolean {
  return plan.kind !== "free";
}

/** Throws 403 on a free plan; `what` reads like "sending". */
export async function requirePaid(service: Service, what: string): Promise<void> {
  const { plan } = await accountRow(service);
  if (isPaid(plan)) return;
  const message = `${what} needs a paid plan: \`${plan.name}\` is a free one`;
  throw new ServiceProblem(403, message, {}, "plan");
}

/** Room under one of the plan's limits, read once for all entries of an operation. */
export interface Room {
  /** Takes one; throws 403 if none is left. */
  take(): void;
}

const LIMIT_OF = {
  domains: { limit: "domains_limit", one: "domain" },
  aliases: { limit: "aliases_limit", one: "alias" },
  rules: { limit: "rules_limit", one: "rule" },
} as const;

// ASSUMPTION(plan-limits): limits of domains, aliases and rules are for the whole account, and a request beyond one is a 403
export async function roomFor(service: Service, what: keyof typeof LIMIT_OF): Promise<Room> {
  const { plan } = await accountRow(service);
  const { store } = service;
  const counts = {
    domains: () => store.table(DOMAINS).count({ where: {} }),
    aliases: () => store.table(ALIASES).count({ where: {} }),
    rules: () => store.table(RULES).count({ where: {} }),
  };
  const { limit: name, one } = LIMIT_OF[what];
  const limit = plan[name];
  let left = limit - (await counts[what]());
  return {
    take() {
      if (left <= 0) {
        const allowed = `${limit} ${limit === 1 ? one : what}`;
        const message = `Your account is limited to ${allowed}: delete some, or change the plan`;
        throw new ServiceProblem(403, message, {}, one);
      }
      left--;
    },
  };
}
