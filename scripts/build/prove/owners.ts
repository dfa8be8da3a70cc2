/** The bundles of our profiles in which absent features are present: the positive controls. */
import { type Bundle, bundle } from '../bundle.ts'
import { generateTarget } from '../generate.ts'
import { standardProfiles } from '../load-profile.ts'
import { root } from '../paths.ts'
import { featureOwners, plan } from '../plan.ts'
import type { PlannedFeature } from '../plan-feature.ts'
import type { Plan } from '../target-plan.ts'

/** A bundle of a profile that has a feature. */
export interface Owner {
  readonly profile: string
  readonly plan: Plan
  readonly metafile: Bundle['metafile']
}

interface Made {
  readonly plan: Plan
  readonly bundles: readonly Bundle[]
}

/** What this process has planned and bundled of our profiles. */
const made = new Map<string, Promise<Made>>()
let holders: ReturnType<typeof featureOwners> | undefined

/** Bundles a planned profile; what was made of one of ours as a control is delivered when its own turn comes. */
export async function bundlesOf(planned: Plan): Promise<readonly Bundle[]> {
  const { name, base } = planned.profile
  if (base !== root || !standardProfiles().includes(name)) return bundleTargets(planned)
  let one = made.get(name)
  if (one === undefined) made.set(name, (one = make(planned)))
  return (await one).bundles.map((bundle, index) => ({ ...bundle, target: planned.targets[index]! }))
}

/** The bundle of one of our profiles that has a feature, where one has it. */
export async function ownerOf({ id, variant }: Pick<PlannedFeature, 'id' | 'variant'>): Promise<Owner | undefined> {
  holders ??= featureOwners()
  for (const profile of (await holders).get(id) ?? []) {
    let one = made.get(profile)
    // Whoever asks has planned a profile, and with it checked the sources of all of ours.
    if (one === undefined) made.set(profile, (one = plan(profile, undefined, true).then(make)))
    const { plan: planned, bundles } = await one
    const holder = bundles.find(({ target }) =>
      target.features.some((feature) => feature.id === id && feature.variant === variant),
    )
    if (holder !== undefined) return { profile, plan: planned, metafile: holder.metafile }
  }
  return undefined
}

async function make(planned: Plan): Promise<Made> {
  return { plan: planned, bundles: await bundleTargets(planned) }
}

function bundleTargets(planned: Plan): Promise<Bundle[]> {
  return Promise.all(planned.targets.map((target) => bundle(generateTarget(planned, target))))
}
