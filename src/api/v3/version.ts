/** Version 3: its route table, its forms, and its problems `{errors, success}` (API v3 §7). */
import { z } from "zod";
import type { Version } from "../version.ts";
import { ROUTES } from "./routes.ts";

export const V3: Version = {
  name: "v3",
  title: "Email forwarding service (legacy)",
  forms: "json or form",
  routes: ROUTES,
  problemSchema: z
    .strictObject({
      errors: z.record(z.string(), z.array(z.string())),
      success: z.literal(false),
      error: z.string(),
      code: z.int(),
    })
    .meta({ id: "v3.Problem" }),
  // ASSUMPTION(v3-error-fields): beside `errors` and `success`, clients read the message as `error` and the status as `code`
  presentProblem: ({ status, message, errors }) => ({
    errors,
    success: false,
    error: message,
    code: status,
  }),
};
