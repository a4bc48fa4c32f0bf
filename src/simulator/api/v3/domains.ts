/** Version 3's domains (API v3 §4 Domains). */
import { z } from "zod";
import { createDomain } from "../../model/domains/create-domain.ts";
import { deleteDomain } from "../../model/domains/delete-domain.ts";
import { getDomain, listDomains, updateDomain } from "../../model/domains/domains.ts";
import { verifyDomain } from "../../model/domains/verify.ts";
import { given, limit, page, pageOf, text } from "../read/parameters.ts";
import { ok, type Route, route } from "../route.ts";
import { DOMAIN_CHANGES, NEW_DOMAIN, WEBHOOK } from "../shared/domain-body.ts";
import { RECORDS } from "../shared/present-records.ts";
import { DOMAIN, presentDomain } from "./present/present-domain.ts";
import { DELETED, DELETED_ANSWERS, succeeds, success } from "./success.ts";

const oneDomain = succeeds({ domain: DOMAIN.schema });

export const DOMAIN_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/domains",
    summary: "List domains",
    query: z.object({
      q: text("substring of the name"),
      is_active: z.enum(["1", "0"]).optional().meta({ description: "1: active ones, 0: others" }),
      limit: limit(50, 100),
      page,
    }),
    answers: {
      200: succeeds({
        domains: z.array(DOMAIN.schema),
        total: z.int(),
        limit: z.int(),
        page: z.int(),
      }),
    },
    async handle(service, { query }) {
      const { q, is_active: isActive } = query;
      const forwardingReady = isActive === undefined ? undefined : isActive === "1";
      const filter = given({ query: q, forwardingReady });
      const { rows, total } = await listDomains(service, filter, "name_asc", pageOf(query));
      const domains = await Promise.all(rows.map((row) => presentDomain(service, row)));
      return success({ domains, total, limit: query.limit, page: query.page });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain",
    summary: "Get a domain",
    answers: { 200: oneDomain },
    async handle(service, { params }) {
      const row = await getDomain(service, params.domain);
      return success({ domain: await presentDomain(service, row) });
    },
  }),
  route({
    method: "POST",
    path: "/domains",
    summary: "Add a domain",
    body: NEW_DOMAIN.extend({ webhook: WEBHOOK }),
    answers: { 200: oneDomain },
    async handle(service, { body }) {
      const row = await createDomain(service, body);
      return success({ domain: await presentDomain(service, row) });
    },
  }),
  route({
    method: "PUT",
    path: "/domains/:domain",
    summary: "Change a domain",
    body: DOMAIN_CHANGES.extend({ webhook: WEBHOOK }),
    answers: { 200: oneDomain },
    async handle(service, { params, body }) {
      const row = await updateDomain(service, params.domain, body);
      return success({ domain: await presentDomain(service, row) });
    },
  }),
  route({
    method: "GET",
    path: "/domains/:domain/check",
    summary: "Check a domain's DNS records; `success` tells whether MX is right",
    answers: { 200: z.strictObject({ records: RECORDS.schema, success: z.boolean() }) },
    async handle(service, { params }) {
      const { records } = await verifyDomain(service, params.domain);
      return ok({ records: RECORDS.present(records), success: records.mx.valid });
    },
  }),
  route({
    method: "DELETE",
    path: "/domains/:domain",
    summary: "Delete a domain and all that belongs to it",
    answers: DELETED_ANSWERS,
    async handle(service, { params }) {
      await deleteDomain(service, params.domain);
      return DELETED;
    },
  }),
];
