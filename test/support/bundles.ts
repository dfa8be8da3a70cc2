/** The plans of standard profiles, and the bundles of plans, each made once in a test process. */
import { type Bundle, bundle } from '../../scripts/build/bundle/bundle.ts'
import { generateTarget } from '../../scripts/build/generate/generate.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import type { Plan } from '../../scripts/build/plan/target-plan.ts'

const plans = new Map<string, Promise<Plan>>()
const made = new WeakMap<Plan, Promise<readonly Bundle[]>>()

/** The plan of a standard profile. Callers share it, and with it the bundles of {@link bundlesOf}. */
export function planOf(name: string): Promise<Plan> {
  let planned = plans.get(name)
  // The check of defines in the project's own sources is the same for all profiles.
  if (planned === undefined) plans.set(name, (planned = plan(name, undefined, plans.size > 0)))
  return planned
}

/** The bundle of each target of a plan. */
export function bundlesOf(plan: Plan): Promise<readonly Bundle[]> {
  let bundles = made.get(plan)
  if (bundles === undefined)
    made.set(plan, (bundles = Promise.all(plan.targets.map((target) => bundle(generateTarget(plan, target))))))
  return bundles
}
