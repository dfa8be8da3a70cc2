/** The bundles of our profiles in which absent features are present: the positive controls. */
import { type Bundle, bundle } from '../bundle.ts'
import { generateTarget } from '../generate.ts'
import { standardProfiles } from '../load-profile.ts'
import { root } from '../paths.ts'
import { featureOwners, type Plan, plan } from '../plan.ts'
import type { PlannedFeature } from '../plan-feature.ts'

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

/** What this process has planned and bundled of our profiles, once each. */
const made = new Map<string, Promise<Made>>()
let owners: ReturnType<typeof featureOwners> | undefined

/** Takes what a build has made of one of our profiles anyway. */
export function remember(plan: Plan, bundles: readonly Bundle[]): void {
  const { name, base } = plan.profile
  if (base === root && standardProfiles().includes(name)) made.set(name, Promise.resolve({ plan, bundles }))
}

/** The bundle of one of our profiles that has a feature, where one has it. */
export async function ownerOf({ id, variant }: PlannedFeature): Promise<Owner | undefined> {
  owners ??= featureOwners()
  for (const profile of (await owners).get(id) ?? []) {
    let one = made.get(profile)
    if (one === undefined) made.set(profile, (one = make(profile)))
    const { plan, bundles } = await one
    const holder = bundles.find(({ target }) =>
      target.features.some((feature) => feature.id === id && feature.variant === variant),
    )
    if (holder !== undefined) return { profile, plan, metafile: holder.metafile }
  }
  return undefined
}

async function make(profile: string): Promise<Made> {
  const planned = await plan(profile)
  return {
    plan: planned,
    bundles: await Promise.all(planned.targets.map((target) => bundle(generateTarget(planned, target)))),
  }
}
