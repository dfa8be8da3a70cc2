/** The bundles of planned profiles, each made once in a test process. */
import { type Bundle, bundle } from '../../scripts/build/bundle/bundle.ts'
import { generateTarget } from '../../scripts/build/generate/generate.ts'
import type { Plan } from '../../scripts/build/plan/target-plan.ts'

const made = new WeakMap<Plan, Promise<readonly Bundle[]>>()

/** The bundle of each target of a plan. */
export function bundlesOf(plan: Plan): Promise<readonly Bundle[]> {
  let bundles = made.get(plan)
  if (bundles === undefined)
    made.set(plan, (bundles = Promise.all(plan.targets.map((target) => bundle(generateTarget(plan, target))))))
  return bundles
}
