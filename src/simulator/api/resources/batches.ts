/** Batches of aliases and of rules, in both versions: add, update and delete many by id (API v4 and v3 §4). */
import { z } from "zod";
import type { EntryResult } from "../../model/batch.ts";
import type { AliasRow, RuleRow } from "../../model/records.ts";
import { addAliases, deleteAliases, updateAliases } from "../../model/routing/alias-batches.ts";
import { addRules, deleteRules, updateRules } from "../../model/routing/rule-batches.ts";
import type { Service } from "../../model/service.ts";
import type { Presenter } from "../presenter.ts";
import { entries } from "../read/parameters.ts";
import { type Route, route } from "../route.ts";
import { ALIAS_V4, BATCH_ALIAS_V3, CHANGED_ALIAS, NEW_ALIAS } from "./aliases.ts";
import { BATCHES_V3, BATCHES_V4, type BatchStyle } from "./present/batch.ts";
import { CHANGED_RULE, NEW_RULE, readNewRule } from "./rule-fields.ts";
import { BATCH_RULE_V3, RULE_V4 } from "./rules.ts";

type BatchMethod = "POST" | "PUT" | "DELETE";

/** One operation, for aliases or rules. */
interface Operation<Row> {
  readonly summary: string;
  readonly entry: z.ZodType;
  /** The fields by which version 3 shows what failed. */
  readonly failedFields: readonly string[];
  run(service: Service, domain: string, sent: unknown): Promise<readonly EntryResult<Row>[]>;
}

type Kind<Row> = Readonly<Record<BatchMethod, Operation<Row>>>;

const ID = { entry: z.string(), failedFields: ["id"] };

// ASSUMPTION(v3-failed-aliases): entries of `failed` where none are shown are what was sent and an `error`
const ALIASES: Kind<AliasRow> = {
  POST: {
    summary: "Add many aliases (paid plans)",
    entry: NEW_ALIAS,
    failedFields: ["alias", "forward"],
    run: addAliases,
  },
  PUT: {
    summary: "Give many aliases other destinations",
    entry: CHANGED_ALIAS,
    failedFields: ["id", "forward"],
    run: updateAliases,
  },
  DELETE: { summary: "Delete many aliases", ...ID, run: deleteAliases },
};

const RULES: Kind<RuleRow> = {
  POST: {
    summary: "Add many rules",
    entry: NEW_RULE,
    failedFields: ["type", "config"],
    run: (service, domain, sent) => addRules(service, domain, sent, readNewRule),
  },
  PUT: {
    summary: "Change many rules",
    entry: CHANGED_RULE,
    failedFields: ["id", "config"],
    run: updateRules,
  },
  DELETE: { summary: "Delete many rules", ...ID, run: deleteRules },
};

const WORDS = {
  POST: { verb: "added", about: (many: string) => `${many} to add` },
  PUT: { verb: "updated", about: (many: string) => `${many} to change, by id` },
  DELETE: { verb: "deleted", about: (many: string) => `ids of the ${many} to delete` },
} as const;

function batchRows<Row extends { readonly id: string }>(
  many: "aliases" | "rules",
  kind: Kind<Row>,
  { answers, present }: BatchStyle,
  shown: Presenter<Row>,
): readonly Route[] {
  return (["POST", "PUT", "DELETE"] as const).map((method) => {
    const { summary, entry, failedFields, run } = kind[method];
    const { verb, about } = WORDS[method];
    const byId = method === "DELETE";
    const name = byId ? "ids" : many;
    return route({
      method,
      path: `/domains/:domain/${many}/batch`,
      summary,
      body: z.object({ [name]: entries(entry, about(many)) }),
      answers: answers(verb, byId ? z.string() : shown.schema, failedFields),
      async handle(service, { params, body }) {
        const sent = body[name]!;
        const results = await run(service, params.domain, sent);
        const asEntries = byId ? sent.map((id) => ({ id })) : sent;
        return present(
          verb,
          asEntries,
          results,
          byId ? ({ id }) => id : shown.present,
          failedFields,
        );
      },
    });
  });
}

export const BATCHES: Readonly<Record<"v4" | "v3", readonly Route[]>> = {
  v4: [
    ...batchRows("aliases", ALIASES, BATCHES_V4, ALIAS_V4),
    ...batchRows("rules", RULES, BATCHES_V4, RULE_V4),
  ],
  v3: [
    ...batchRows("aliases", ALIASES, BATCHES_V3, BATCH_ALIAS_V3),
    ...batchRows("rules", RULES, BATCHES_V3, BATCH_RULE_V3),
  ],
};
