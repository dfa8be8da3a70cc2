/**
 * The controls of the absence proof. Positive: a profile that has the feature does contain its files, so the proof looks
 * at the right ones. Mutation: with the feature switched on in this very target the proof turns red, so it can fail.
 */

import { resolve } from 'node:path'
import { type Bundle, bundle } from '../bundle.ts'
import type { Problem } from '../errors.ts'
import { generateTarget } from '../generate.ts'
import { root } from '../paths.ts'
import type { Plan, PlannedFeature, TargetPlan } from '../plan.ts'
import { type Attributed, attribute } from './attribute.ts'
import { findLeaks } from './checks.ts'

/** How an absent feature came out. */
export interface AbsentProof {
  /** Bytes of the bundle that are the feature's; 0, or the proof has failed. */
  readonly bytes: number
  readonly positive: { readonly profile: string; readonly bytes: number } | null
  /** The first file that the proof names when the feature is switched on. */
  readonly mutation: string
}

/**
 * Runs both controls for every feature that `target` lacks. `owners` finds a bundle of a profile that has it. `suspects` are
 * the files that the mutations brought.
 */
export async function runControls(
  plan: Plan,
  { target, format }: Pick<Bundle, 'target' | 'format'>,
  absent: readonly PlannedFeature[],
  owners: (
    wanted: PlannedFeature,
  ) => Promise<{ profile: string; plan: Plan; metafile: Parameters<typeof attribute>[1] } | undefined>,
): Promise<{ proofs: Record<string, AbsentProof>; problems: Problem[]; suspects: Attributed[] }> {
  const proofs: Record<string, AbsentProof> = {}
  const problems: Problem[] = []
  const suspects = new Map<string, Attributed>()
  const fail = (message: string): void =>
    void problems.push({ code: 'ERR_PROOF_CONTROL', message: `${target.form}: ${message}` })
  const results = await Promise.all(
    absent.map(async (feature) => {
      const [owner, mutated] = await Promise.all([owners(feature), mutate(plan, target, feature, format)])
      return { feature, owner, leaks: findLeaks(plan, target, mutated) }
    }),
  )
  for (const { feature, owner, leaks } of results) {
    const { id, variant } = feature
    const name = variant === undefined ? id : `${id}=${variant}`
    const positive =
      owner === undefined ? null : { profile: owner.profile, bytes: bytesOf(feature, owner.plan, owner.metafile) }
    if (positive !== null && positive.bytes === 0) {
      fail(`profile ${positive.profile} has ${name}, and no byte of its bundle is found to be the feature's.`)
    }
    for (const found of leaks) suspects.set(found.input, found)
    const leak = leaks.find(({ owner: whose }) => isOf(feature, whose))
    if (leak === undefined) fail(`with ${name} switched on, the proof still finds nothing of it.`)
    proofs[name] = { bytes: 0, positive, mutation: leak === undefined ? '' : leak.file }
  }
  return { proofs, problems, suspects: [...suspects.values()] }
}

/** The bundle of `target` with one more feature in its registry and its flag on. */
async function mutate(
  plan: Plan,
  target: TargetPlan,
  feature: PlannedFeature,
  format: Bundle['format'],
): Promise<Bundle> {
  const { flag } = feature.feature
  const mutated: TargetPlan = {
    ...target,
    features: [...target.features.filter(({ id }) => id !== feature.id), feature],
    flags: flag === undefined ? target.flags : { ...target.flags, [flag]: true },
  }
  const generated = generateTarget(plan, mutated)
  // A library takes no commands and no main module by itself, a program no exports; a leak would.
  const { commands, main, exports = {}, owns = [] } = feature.feature
  const modules = [commands, main, ...Object.values(exports), ...owns.filter((path) => path.endsWith('.ts'))]
  const stray = modules.filter((module) => module !== undefined)
  const entry = [...stray.map((module) => `import '${resolve(root, module)}'`), generated.files['entry.ts']].join('\n')
  return bundle({ ...generated, files: { ...generated.files, 'entry.ts': entry } }, format)
}

function bytesOf(feature: PlannedFeature, plan: Plan, metafile: Parameters<typeof attribute>[1]): number {
  return attribute(plan, metafile)
    .filter(({ owner }) => isOf(feature, owner))
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

/** A variant is told apart from its siblings; a feature without variants is all of its files. */
function isOf({ id, variant }: PlannedFeature, owner: string): boolean {
  return variant === undefined ? owner === `feature:${id}` : owner === `variant:${id}=${variant}`
}
