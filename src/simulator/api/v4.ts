/** Version 4: its route table, and its problems `{message, errors}` (API v4 §7). */
import { z } from "zod";
import { ACCOUNT_ROWS_V4 } from "./resources/account.ts";
import { ALIASES_V4 } from "./resources/aliases.ts";
import { BATCHES } from "./resources/batches.ts";
import { CREDENTIALS_V4 } from "./resources/credentials.ts";
import { DOMAINS_V4 } from "./resources/domains.ts";
import { LOGS_V4 } from "./resources/logs.ts";
import { RULES_V4 } from "./resources/rules.ts";
import { SENDING_V4 } from "./resources/send.ts";
import { TEMPLATES_V4 } from "./resources/templates.ts";
import type { Version } from "./version.ts";

// ASSUMPTION(create-status): a create answers 200, the general success code
export const V4: Version = {
  name: "v4",
  title: "Email forwarding service",
  forms: "json",
  routes: [
    ...ACCOUNT_ROWS_V4,
    ...DOMAINS_V4,
    ...ALIASES_V4,
    ...RULES_V4,
    ...BATCHES.v4,
    ...LOGS_V4,
    ...CREDENTIALS_V4,
    ...SENDING_V4,
    ...TEMPLATES_V4,
  ],
  problemSchema: z
    .strictObject({ message: z.string(), errors: z.record(z.string(), z.array(z.string())) })
    .meta({ id: "v4.Problem" }),
  presentProblem: ({ message, errors }) => ({ message, errors }),
};
