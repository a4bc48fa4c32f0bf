/** Version 3's account (API v3 §4 Account). */
import { z } from "zod";
import { getAccount, listWhitelabels } from "../../model/account.ts";
import { type Route, route } from "../route.ts";
import { ACCOUNT } from "./present/present-account.ts";
import { succeeds, success } from "./success.ts";

export const ACCOUNT_ROUTES: readonly Route[] = [
  // ASSUMPTION(v3-account-shape): version 3 answers in its own shape, not in version 4's
  route({
    method: "GET",
    path: "/account",
    summary: "The account and its plan",
    answers: { 200: succeeds({ account: ACCOUNT.schema }) },
    handle: async (service) => success({ account: ACCOUNT.present(await getAccount(service)) }),
  }),
  route({
    method: "GET",
    path: "/account/whitelabels",
    summary: "Brands that domains may show",
    answers: { 200: succeeds({ whitelabels: z.array(z.strictObject({ name: z.string() })) }) },
    async handle(service) {
      const whitelabels = (await listWhitelabels(service)).map((name) => ({ name }));
      return success({ whitelabels });
    },
  }),
  // ASSUMPTION(login-link): clients of version 3 ask for a link that signs in to the dashboard, which here is the local page
  route({
    method: "GET",
    path: "/account/generate-login-link",
    summary: "Extension: a link to the local page",
    answers: { 200: succeeds({ link: z.string() }) },
    async handle(_service, { request }) {
      return success({ link: `${new URL(request.url).origin}/_sim/` });
    },
  }),
];
