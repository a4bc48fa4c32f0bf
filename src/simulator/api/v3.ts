/** Version 3: its route table, its forms, and its problems `{errors, success}` (API v3 §7). */
import { z } from "zod";
import { ACCOUNT_ROWS_V3 } from "./resources/account.ts";
import { ALIASES_V3 } from "./resources/aliases.ts";
import { BATCHES } from "./resources/batches.ts";
import { BULK_ALIASES, BULK_RULES } from "./resources/bulk.ts";
import { CREDENTIALS_V3 } from "./resources/credentials.ts";
import { DOMAINS_V3 } from "./resources/domains.ts";
import { LOGS_V3 } from "./resources/logs-v3.ts";
import { RULES_V3 } from "./resources/rules.ts";
import type { Version } from "./version.ts";

export const V3: Version = {
  name: "v3",
  title: "Email forwarding service (legacy)",
  forms: "json or form",
  routes: [
    ...ACCOUNT_ROWS_V3,
    ...DOMAINS_V3,
    ...ALIASES_V3,
    ...RULES_V3,
    ...BATCHES.v3,
    BULK_ALIASES,
    BULK_RULES,
    ...LOGS_V3,
    ...CREDENTIALS_V3,
  ],
  problemSchema: z
    .strictObject({
      errors: z.record(z.string(), z.array(z.string())),
      success: z.literal(false),
      error: z.string().optional().meta({ description: "where no field is at fault" }),
      code: z.int().optional().meta({ description: "the status, where no field is at fault" }),
    })
    .meta({ id: "v3.Problem" }),
  // ASSUMPTION(v3-error-fields): clients read the first message of the first field, so `errors` always has one; where none is at fault it is what the problem is about, and `error` and `code` repeat message and status
  presentProblem({ status, message, errors, about }) {
    if (Object.keys(errors).length > 0) return { errors, success: false };
    const named = { [about ?? "body"]: [message] };
    return { errors: named, success: false, error: message, code: status };
  },
};
