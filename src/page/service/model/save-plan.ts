/** The API calls that turn the saved domain into the edited one. */
import { LIMITS } from "../../../base/limits.ts";
import type { DomainDraft, RuleDraft } from "../../model/domain.ts";

export interface ApiCall {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body: unknown;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function batches(
  method: ApiCall["method"],
  path: string,
  field: string,
  all: readonly unknown[],
): ApiCall[] {
  const calls: ApiCall[] = [];
  for (let at = 0; at < all.length; at += LIMITS.batchEntriesMax) {
    calls.push({ method, path, body: { [field]: all.slice(at, at + LIMITS.batchEntriesMax) } });
  }
  return calls;
}

const sent = ({ id, type, rank, active, config }: RuleDraft): object => {
  // The API writes a discard as text.
  const forward = config.forward === null ? "null" : config.forward;
  return { id, type, rank, active, config: { ...config, forward } };
};

/**
 * The domain comes first, then rules to delete, add and change. The API cannot change a rule's type, so such a rule is deleted
 * and added again. Calls that are run again do no harm: the ones already done only return errors.
 */
export function savePlan(saved: DomainDraft, draft: DomainDraft): readonly ApiCall[] {
  const base = `/v4/domains/${encodeURIComponent(draft.domain)}`;
  const before = new Map(saved.rules.map((rule) => [rule.id, rule]));
  const after = new Map(draft.rules.map((rule) => [rule.id, rule]));
  const isGone = (rule: RuleDraft): boolean => after.get(rule.id)?.type !== rule.type;
  const isNew = (rule: RuleDraft): boolean => before.get(rule.id)?.type !== rule.type;
  const gone = saved.rules.filter(isGone).map(({ id }) => id);
  const added = draft.rules.filter(isNew).map(sent);
  const changed = draft.rules
    .filter((rule) => !isNew(rule) && !same(sent(before.get(rule.id)!), sent(rule)))
    .map((rule) => {
      const { id, rank, active, config } = sent(rule) as RuleDraft;
      return { id, rank, active, config };
    });
  const fields = (["routing_engine", "rules_fallback_email"] as const).filter(
    (name) => saved[name] !== draft[name],
  );
  const domain = Object.fromEntries(fields.map((name) => [name, draft[name]]));
  return [
    ...(fields.length === 0 ? [] : [{ method: "PUT" as const, path: base, body: domain }]),
    ...batches("DELETE", `${base}/rules/batch`, "ids", gone),
    ...batches("POST", `${base}/rules/batch`, "rules", added),
    ...batches("PUT", `${base}/rules/batch`, "rules", changed),
  ];
}
