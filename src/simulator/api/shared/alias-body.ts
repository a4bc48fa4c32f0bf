/** What an alias can be given, in both versions (API v4 §4 Aliases). */
import { z } from "zod";

const alias = z.string().meta({ description: "local part, wildcard or pattern" });
const forward = z.string().meta({ description: "comma-separated destinations" });

export const NEW_ALIAS: z.ZodObject = z.object({ alias, forward });
export const ALIAS_CHANGES: z.ZodObject = z.object({ forward });
/** An entry of a batch of changes. */
export const CHANGED_ALIAS: z.ZodObject = z.object({ id: z.string(), forward });
