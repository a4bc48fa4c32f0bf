/** The account in both versions (API v4 and v3 §4 Account). */
import { z } from "zod";
import { type Account, getAccount, listWhitelabels } from "../../model/account.ts";
import { type AnswerStyle, PLAIN, SUCCEEDING, succeeds, success } from "../answers.ts";
import type { Presenter } from "../presenter.ts";
import { type Route, route } from "../route.ts";
import { ACCOUNT_V3, ACCOUNT_V4 } from "./present/account.ts";

function accountRow(style: AnswerStyle, shown: Presenter<Account>): Route {
  return route({
    method: "GET",
    path: "/account",
    summary: "The account and its plan",
    answers: style.answers({ account: shown.schema }),
    async handle(service) {
      return style.answer({ account: shown.present(await getAccount(service)) });
    },
  });
}

export const ACCOUNT_ROWS_V4: readonly Route[] = [accountRow(PLAIN, ACCOUNT_V4)];

export const ACCOUNT_ROWS_V3: readonly Route[] = [
  // ASSUMPTION(v3-account-shape): version 3 answers in its own shape, not in version 4's
  accountRow(SUCCEEDING, ACCOUNT_V3),
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
