/** The route table of version 4, a resource after the other (API v4 §4). */
import type { Route } from "../route.ts";
import { ACCOUNT_ROUTES } from "./account.ts";
import { ALIAS_BATCH_ROUTES } from "./alias-batches.ts";
import { ALIAS_ROUTES } from "./aliases.ts";
import { CREDENTIAL_ROUTES } from "./credentials.ts";
import { DOMAIN_ROUTES } from "./domains.ts";
import { LOG_ROUTES } from "./logs.ts";
import { RULE_BATCH_ROUTES } from "./rule-batches.ts";
import { RULE_ROUTES } from "./rules.ts";
import { SEND_ROUTES } from "./send.ts";
import { TEMPLATE_ROUTES } from "./templates.ts";

export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...DOMAIN_ROUTES,
  ...ALIAS_ROUTES,
  ...ALIAS_BATCH_ROUTES,
  ...RULE_ROUTES,
  ...RULE_BATCH_ROUTES,
  ...LOG_ROUTES,
  ...CREDENTIAL_ROUTES,
  ...SEND_ROUTES,
  ...TEMPLATE_ROUTES,
];
