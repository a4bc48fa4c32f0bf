/** Plans by the names that tests give them; a world can say more. */
import type { World } from "./model/seed/world.ts";

/** A plan of the service. */
export type PlanName = "free" | "premium";

/** A plan that a world names itself stays as it is. */
export function withPlan(world: World, kind: PlanName): World {
  return { ...world, plan: { kind, ...world.plan } };
}
