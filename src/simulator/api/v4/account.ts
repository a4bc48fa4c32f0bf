/** Version 4's account (API v4 §4 Account). */
import { z } from "zod";
import { getAccount } from "../../model/account.ts";
import { ok, type Route, route } from "../route.ts";
import { ACCOUNT } from "./present/present-account.ts";

export const ACCOUNT_ROUTES: readonly Route[] = [
  route({
    method: "GET",
    path: "/account",
    summary: "The account and its plan",
    answers: { 200: z.strictObject({ account: ACCOUNT.schema }) },
    handle: async (service) => ok({ account: ACCOUNT.present(await getAccount(service)) }),
  }),
];
