/** Version 4's domains (API v4 §4 Domains). */
import { z } from "zod";
import { createDomain } from "../../model/domains/create-domain.ts";
import { deleteDomain } from "../../model/domains/delete-domain.ts";
import { getDomain, listDomains, updateDomain } from "../../model/domains/domains.ts";
import { verifyDomain } from "../../model/domains/verify.ts";
import { flag, given, limit, nameOrder, page, pageOf, text } from "../read/parameters.ts";
import { NO_CONTENT, ok, type Route, route } from "../route.ts";
import { DOMAIN_CHANGES, NEW_DOMAIN } from "../shared/domain-body.ts";
import { RECORDS } from "../shared/present-records.ts";
import { DOMAIN } from "./present/present-domain.ts";

const oneDomain = z.strictObject({ domain: DOMAIN.schema });

export const DOMAIN_ROUTES: readonly Route[] = [
  route({
    method: "GET",
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
    answers: {
      200: z.strictObject({
        domains: z.array(DOMAIN.schema),
        total: z.int(),
        limit: z.int(),
        page: z.int(),
      }),
    },
    async handle(service, { query }) {
      const { whitelabel: brand, routing_engine: engine } = query;
      const filter = given({
        query: query.query,
        forwardingReady: query.forwarding_ready,
        sendReady: query.send_ready,
        whitelabel: brand === "null" ? null : brand,
        routingEngine: engine === "null" ? null : engine,
      });
      const { rows, total } = await listDomains(service, filter, query.order, pageOf(query));
      const domains = rows.map(DOMAIN.present);
      return ok({ domains, total, limit: query.limit, page: query.page });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain",
    summary: "Get a domain",
    answers: { 200: oneDomain },
    async handle(service, { params }) {
      return ok({ domain: DOMAIN.present(await getDomain(service, params.domain)) });
    },
  }),
  route({
    method: "POST",
    path: "/domains",
    summary: "Add a domain",
    body: NEW_DOMAIN,
    answers: { 200: oneDomain },
    async handle(service, { body }) {
      return ok({ domain: DOMAIN.present(await createDomain(service, body)) });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain",
    summary: "Change a domain",
    body: DOMAIN_CHANGES,
    answers: { 200: oneDomain },
    async handle(service, { params, body }) {
      return ok({ domain: DOMAIN.present(await updateDomain(service, params.domain, body)) });
    },
  }),
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
  route({
    method: "DELETE",
    path: "/domains/:domain",
    summary: "Delete a domain and all that belongs to it",
    answers: { 204: null },
    async handle(service, { params }) {
      await deleteDomain(service, params.domain);
      return NO_CONTENT;
    },
  }),
];
