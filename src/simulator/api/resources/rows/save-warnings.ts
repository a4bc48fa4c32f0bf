/** Extension of both versions: with `?warnings=true`, saving an alias or a rule also returns certain warnings about it. */
import { z } from "zod";
import type { Service } from "../../../model/service.ts";
import { type SavedWarning, warningsOf } from "../../../model/warnings.ts";
import { flag } from "../../read/parameters.ts";

/** The query of a route that saves. */
export const SAVING: z.ZodObject<{ warnings: z.ZodOptional<z.ZodBoolean> }> = z.object({
  warnings: flag("also answer `warnings`: what cannot have been meant"),
});

/** The extra field of its answer; absent unless asked for. */
export const WARNINGS: z.ZodOptional<
  z.ZodArray<z.ZodObject<{ code: z.ZodString; message: z.ZodString; field: z.ZodString }>>
> = z
  .array(z.strictObject({ code: z.string(), message: z.string(), field: z.string() }))
  .optional();

export async function warningsIfAsked(
  query: { readonly warnings?: boolean | undefined },
  service: Service,
  domain: string,
  resource: "aliases" | "rules",
  id: string,
): Promise<{ warnings?: SavedWarning[] }> {
  if (query.warnings !== true) return {};
  return { warnings: [...(await warningsOf(service, domain, resource, id))] };
}
