/** The route table of version 3, a resource after the other (API v3 §4). */
import type { Route } from "../route.ts";
import { ACCOUNT_ROUTES } from "./account.ts";
import { ALIAS_BATCH_ROUTES } from "./alias-batches.ts";
import { ALIAS_ROUTES } from "./aliases.ts";
import { CREDENTIAL_ROUTES } from "./credentials.ts";
import { DOMAIN_ROUTES } from "./domains.ts";
import { LOG_ROUTES } from "./logs.ts";
import { RULE_BATCH_ROUTES } from "./rule-batches.ts";
import { RULE_ROUTES } from "./rules.ts";

export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...DOMAIN_ROUTES,
  ...ALIAS_ROUTES,
  ...ALIAS_BATCH_ROUTES,
  ...RULE_ROUTES,
  ...RULE_BATCH_ROUTES,
  ...LOG_ROUTES,
  ...CREDENTIAL_ROUTES,
];
