/** Version 4's batches of aliases (API v4 §4 Aliases). */
import { z } from "zod";
import { addAliases, deleteAliases, updateAliases } from "../../model/routing/alias-batches.ts";
import { entries } from "../read/parameters.ts";
import { type Route, route } from "../route.ts";
import { CHANGED_ALIAS, NEW_ALIAS } from "../shared/alias-body.ts";
import { ALIAS } from "./present/present-alias.ts";
import { batchAnswers, presentBatch } from "./present/present-batch.ts";

const path = "/domains/:domain/aliases/batch";

export const ALIAS_BATCH_ROUTES: readonly Route[] = [
  route({
    method: "POST",
    path,
    summary: "Add many aliases (paid plans)",
    body: z.object({ aliases: entries(NEW_ALIAS, "aliases to add") }),
    answers: batchAnswers("added", ALIAS.schema),
    async handle(service, { params, body }) {
      const results = await addAliases(service, params.domain, body.aliases);
      return presentBatch("added", results, ALIAS.present);
    },
  }),
  route({
    method: "PUT",
    path,
    summary: "Give many aliases other destinations",
    body: z.object({ aliases: entries(CHANGED_ALIAS, "aliases to change, by id") }),
    answers: batchAnswers("updated", ALIAS.schema),
    async handle(service, { params, body }) {
      const results = await updateAliases(service, params.domain, body.aliases);
      return presentBatch("updated", results, ALIAS.present);
    },
  }),
  route({
    method: "DELETE",
    path,
    summary: "Delete many aliases",
    body: z.object({ ids: entries(z.string(), "ids of the aliases to delete") }),
    answers: batchAnswers("deleted", z.string()),
    async handle(service, { params, body }) {
      const results = await deleteAliases(service, params.domain, body.ids);
      return presentBatch("deleted", results, ({ id }) => id);
    },
  }),
];
