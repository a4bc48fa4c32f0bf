/** Version 4: its route table, and its problems `{message, errors}` (API v4 §7). */
import { z } from "zod";
import type { Version } from "../version.ts";
import { ROUTES } from "./routes.ts";

// ASSUMPTION(create-status): a create answers 200, the general success code
export const V4: Version = {
  name: "v4",
  title: "Email forwarding service",
  forms: "json",
  routes: ROUTES,
  problemSchema: z
    .strictObject({ message: z.string(), errors: z.record(z.string(), z.array(z.string())) })
    .meta({ id: "v4.Problem" }),
  presentProblem: ({ message, errors }) => ({ message, errors }),
};
