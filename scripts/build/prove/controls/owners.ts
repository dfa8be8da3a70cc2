/** The bundles of our profiles in which absent features are present: the positive controls. */
import { type Bundle, bundle } from '../../bundle/bundle.ts'
import { generateTarget } from '../../generate/generate.ts'
import { root } from '../../paths.ts'
import { standardProfiles } from '../../plan/load-profile.ts'
import { featureOwners, plan } from '../../plan/plan.ts'
import type { PlannedFeature } from '../../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../../plan/target-plan.ts'

/** A bundle of a profile that has a feature. */
export interface Owner {
  readonly profile: string
  readonly plan: Plan
  readonly metafile: Bundle['metafile']
}

/** What this process has planned of our profiles. */
const planned = new Map<string, Promise<Plan>>()
/** What it has bundled of those plans. */
const made = new WeakMap<TargetPlan, Promise<Bundle>>()
let holders: ReturnType<typeof smallestFirst> | undefined

/** Bundles a planned profile. A bundle of one of our profiles that was made as a control is reused when the profile is built. */
export async function bundlesOf(plan: Plan): Promise<readonly Bundle[]> {
  const { name, base } = plan.profile
  const isOurs = base === root && standardProfiles().includes(name)
  if (isOurs && !planned.has(name)) planned.set(name, Promise.resolve(plan))
  const first = isOurs ? await planned.get(name)! : plan
  const bundles = await Promise.all(first.targets.map((target) => bundleOf(first, target)))
  return bundles.map((one, index) => ({ ...one, target: plan.targets[index]! }))
}

/** The bundle of one of our profiles that has a feature, where one has it. */
export async function ownerOf({ id, variant }: Pick<PlannedFeature, 'id' | 'variant'>): Promise<Owner | undefined> {
  holders ??= smallestFirst()
  for (const profile of (await holders).get(id) ?? []) {
    let one = planned.get(profile)
    // The caller has planned a profile before, which checks the sources of all our profiles, so this plan skips the check.
    if (one === undefined) planned.set(profile, (one = plan(profile, undefined, true)))
    const owner = await one
    const holder = owner.targets.find(({ features }) =>
      features.some((feature) => feature.id === id && feature.variant === variant),
    )
    if (holder !== undefined) return { profile, plan: owner, metafile: (await bundleOf(owner, holder)).metafile }
  }
  return undefined
}

/** For each feature the profiles that have it, those with fewer features first, because their bundles take less time. */
async function smallestFirst(): Promise<Map<string, string[]>> {
  const owners = await featureOwners()
  const sizes = new Map<string, number>()
  for (const profile of [...owners.values()].flat()) sizes.set(profile, (sizes.get(profile) ?? 0) + 1)
  return new Map([...owners].map(([id, names]) => [id, [...names].sort((a, b) => sizes.get(a)! - sizes.get(b)!)]))
}

function bundleOf(plan: Plan, target: TargetPlan): Promise<Bundle> {
  let one = made.get(target)
  if (one === undefined) made.set(target, (one = bundle(generateTarget(plan, target))))
  return one
}
