/** Domains in both versions (API v4 and v3 §4 Domains). */
import { z } from "zod";
import { createDomain } from "../../model/domains/create-domain.ts";
import { deleteDomain } from "../../model/domains/delete-domain.ts";
import { getDomain, listDomains, updateDomain } from "../../model/domains/domains.ts";
import { verifyDomain } from "../../model/domains/verify.ts";
import type { DomainRow } from "../../model/records.ts";
import type { Service } from "../../model/service.ts";
import { type AnswerStyle, PLAIN, SUCCEEDING } from "../answers.ts";
import type { Presenter } from "../presenter.ts";
import { flag, given, limit, nameOrder, page, pageOf, text } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { DOMAIN_CHANGES, NEW_DOMAIN, WEBHOOK } from "./domain-fields.ts";
import { DOMAIN_V3, DOMAIN_V4, withAliases } from "./present/domain.ts";
import { RECORDS } from "./present/records.ts";
import { listRow } from "./rows/list-row.ts";

/** The rows for one domain; `whole` finds what the version shows of it. */
function domainRows<Whole>(
  style: AnswerStyle,
  shown: Presenter<Whole>,
  whole: (service: Service, row: DomainRow) => Promise<Whole>,
  extension: z.ZodRawShape,
): readonly Route[] {
  const answers = style.answers({ domain: shown.schema });
  const answer = async (service: Service, row: DomainRow) =>
    style.answer({ domain: shown.present(await whole(service, row)) });
  return [
    route({
      method: "GET",
      path: "/domains/:domain",
      summary: "Get a domain",
      answers,
      async handle(service, { params }) {
        return answer(service, await getDomain(service, params.domain));
      },
    }),
    route({
      method: "POST",
      path: "/domains",
      summary: "Add a domain",
      body: NEW_DOMAIN.extend(extension),
      answers,
      async handle(service, { body }) {
        return answer(service, await createDomain(service, body));
      },
    }),
    route({
      method: "PUT",
      path: "/domains/:domain",
      summary: "Change a domain",
      body: DOMAIN_CHANGES.extend(extension),
      answers,
      async handle(service, { params, body }) {
        return answer(service, await updateDomain(service, params.domain, body));
      },
    }),
    route({
      method: "DELETE",
      path: "/domains/:domain",
      summary: "Delete a domain and all that belongs to it",
      answers: style.deletedAnswers,
      async handle(service, { params }) {
        await deleteDomain(service, params.domain);
        return style.deleted;
      },
    }),
  ];
}

export const DOMAINS_V4: readonly Route[] = [
  listRow({
    style: PLAIN,
    path: "/domains",
    summary: "List domains",
    query: z.object({
      query: text("substring of the name"),
      forwarding_ready: flag("whether the MX records name the service"),
      send_ready: flag("whether the domain may send"),
      whitelabel: text("exact brand; `null`: domains without one"),
      routing_engine: z
        .enum(["alias", "rules", "null"])
        .optional()
        .meta({ description: "exact; `null`: domains whose routing is disabled" }),
      order: nameOrder,
      limit: limit(20, 200),
      page,
    }),
    shown: DOMAIN_V4,
    fields: (domains, { limit, page, total }) => ({ domains, total, limit, page }),
    find(service, _domain, query) {
      const { whitelabel: brand, routing_engine: engine } = query;
      const filter = given({
        query: query.query,
        forwardingReady: query.forwarding_ready,
        sendReady: query.send_ready,
        whitelabel: brand === "null" ? null : brand,
        routingEngine: engine === "null" ? null : engine,
      });
      return listDomains(service, filter, query.order, pageOf(query));
    },
  }),
  ...domainRows(PLAIN, DOMAIN_V4, async (_service, row) => row, {}),
  route({
    method: "POST",
    path: "/domains/:domain/verify",
    summary: "Check a domain's DNS records",
    answers: { 200: z.strictObject({ records: RECORDS.schema }) },
    async handle(service, { params }) {
      const { records } = await verifyDomain(service, params.domain);
      return ok({ records: RECORDS.present(records) });
    },
  }),
];

export const DOMAINS_V3: readonly Route[] = [
  listRow({
    style: SUCCEEDING,
    path: "/domains",
    summary: "List domains",
    query: z.object({
      q: text("substring of the name"),
      is_active: z.enum(["1", "0"]).optional().meta({ description: "1: active ones, 0: others" }),
      limit: limit(50, 100),
      page,
    }),
    shown: DOMAIN_V3,
    fields: (domains, { limit, page, total }) => ({ domains, total, limit, page }),
    async find(service, _domain, query) {
      const { q, is_active: isActive } = query;
      const forwardingReady = isActive === undefined ? undefined : isActive === "1";
      const filter = given({ query: q, forwardingReady });
      const { rows, total } = await listDomains(service, filter, "name_asc", pageOf(query));
      return { rows: await Promise.all(rows.map((row) => withAliases(service, row))), total };
    },
  }),
  ...domainRows(SUCCEEDING, DOMAIN_V3, withAliases, { webhook: WEBHOOK }),
  route({
    method: "GET",
    path: "/domains/:domain/check",
    summary: "Check a domain's DNS records; `success` says whether MX is right",
    answers: { 200: z.strictObject({ records: RECORDS.schema, success: z.boolean() }) },
    async handle(service, { params }) {
      const { records } = await verifyDomain(service, params.domain);
      return ok({ records: RECORDS.present(records), success: records.mx.valid });
    },
  }),
];
