/** Version 3's batches of aliases by id, and bulk by name (API v3 §4 Aliases). */
import { z } from "zod";
import {
  addAliases,
  bulkAliases,
  deleteAliases,
  updateAliases,
} from "../../model/routing/alias-batches.ts";
import { behavior, entries } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { CHANGED_ALIAS, NEW_ALIAS } from "../shared/alias-body.ts";
import { ALIAS, BATCH_ALIAS, WRITTEN_ALIAS } from "./present/present-alias.ts";
import { asEntries, done, failureSchema, presentFailures } from "./present/present-failure.ts";
import { succeeds, success } from "./success.ts";

const batch = "/domains/:domain/aliases/batch";

// ASSUMPTION(v3-failed-aliases): entries of `failed` where none are shown are what was sent and an `error`
const ADDED = ["alias", "forward"];
const UPDATED = ["id", "forward"];

export const ALIAS_BATCH_ROUTES: readonly Route[] = [
  route({
    method: "POST",
    path: batch,
    summary: "Add many aliases (paid plans)",
    body: z.object({ aliases: entries(NEW_ALIAS, "aliases to add") }),
    answers: {
      200: z.strictObject({
        added: z.array(BATCH_ALIAS.schema),
        failed: z.array(failureSchema(ADDED)),
      }),
    },
    async handle(service, { params, body: { aliases } }) {
      const results = await addAliases(service, params.domain, aliases);
      const failed = presentFailures(aliases, results, ADDED);
      return ok({ added: done(results).map(BATCH_ALIAS.present), failed });
    },
  }),
  route({
    method: "PUT",
    path: batch,
    summary: "Give many aliases other destinations",
    body: z.object({ aliases: entries(CHANGED_ALIAS, "aliases to change, by id") }),
    answers: {
      200: z.strictObject({
        updated: z.array(BATCH_ALIAS.schema),
        failed: z.array(failureSchema(UPDATED)),
      }),
    },
    async handle(service, { params, body: { aliases } }) {
      const results = await updateAliases(service, params.domain, aliases);
      const failed = presentFailures(aliases, results, UPDATED);
      return ok({ updated: done(results).map(BATCH_ALIAS.present), failed });
    },
  }),
  route({
    method: "DELETE",
    path: batch,
    summary: "Delete many aliases",
    body: z.object({ ids: entries(z.string(), "ids of the aliases to delete") }),
    answers: {
      200: z.strictObject({
        deleted: z.array(z.string()),
        failed: z.array(failureSchema(["id"])),
      }),
    },
    async handle(service, { params, body: { ids } }) {
      const results = await deleteAliases(service, params.domain, ids);
      const failed = presentFailures(asEntries(ids), results, ["id"]);
      return ok({ deleted: done(results).map(({ id }) => id), failed });
    },
  }),
  route({
    method: "POST",
    path: "/domains/:domain/aliases/bulk",
    summary: "Add (paid plans), update or delete many aliases by name",
    body: z.object({ aliases: entries(NEW_ALIAS, "aliases, by name"), behavior }),
    answers: {
      200: z.union([
        succeeds({
          added: z.array(WRITTEN_ALIAS.schema),
          updated: z.array(WRITTEN_ALIAS.schema),
          failed: z.array(failureSchema(ADDED)),
        }),
        succeeds({
          deleted: z.array(ALIAS.schema),
          failed: z.array(z.strictObject({ alias: z.unknown() })),
        }),
      ]),
    },
    async handle(service, { params, body: { aliases, behavior: what } }) {
      const results = await bulkAliases(service, params.domain, what, aliases);
      const failures = presentFailures(aliases, results, ADDED);
      const rows = done(results);
      if (what === "delete") {
        const failed = failures.map(({ alias }) => ({ alias }));
        return success({ deleted: rows.map(ALIAS.present), failed });
      }
      const written = rows.map(WRITTEN_ALIAS.present);
      const added = what === "add" ? written : [];
      return success({ added, updated: what === "add" ? [] : written, failed: failures });
    },
  }),
];
