/** Plans by the names that tests give them; a world can say more. */
import type { Plan } from "../service/records.ts";
import type { World } from "../service/world.ts";

export type PlanName = "free" | "premium";

const PLANS: Readonly<Record<PlanName, Partial<Plan>>> = {
  free: { name: "free", kind: "free", price: 0 },
  premium: {},
};

export function withPlan(world: World, name: PlanName): World {
  return { ...world, plan: { ...PLANS[name], ...world.plan } };
}
