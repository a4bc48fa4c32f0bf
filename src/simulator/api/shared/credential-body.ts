/** What a credential can be given, in both versions (API v4 §4 SMTP credentials). */
import { z } from "zod";

const password = z.string().meta({ description: "never shown again" });

export const NEW_CREDENTIAL: z.ZodObject = z.object({
  username: z.string().meta({ description: "name of an alias" }),
  password,
});

/** The operation says what is missing, for the text does not call the password required. */
export const CREDENTIAL_CHANGES: z.ZodObject = z.object({ password: password.optional() });
