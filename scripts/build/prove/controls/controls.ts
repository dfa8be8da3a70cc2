/**
 * The controls of the absence proof. Positive: a profile that has the feature does contain its files, so the proof looks
 * at the right ones. Mutation: with the feature's define flipped, in the same text, the proof turns red, so it can fail.
 */

import type { Bundle } from '../../bundle/bundle.ts'
import { isSplit } from '../../bundle/esbuild-options.ts'
import type { Problem } from '../../errors.ts'
import { conditionalImport, type Generated, generateTarget } from '../../generate/generate.ts'
import { defineName } from '../../plan/defines.ts'
import type { PlannedFeature } from '../../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../../plan/target-plan.ts'
import type { Attributed } from '../attribute.ts'
import { findLeaks } from '../leaks.ts'
import { checkBasis } from './basis.ts'
import { bundleMutants } from './mutants.ts'
import { isOf, nameOf, type Positive } from './positives.ts'

/** How an absent feature came out. */
export interface AbsentProof {
  /** Bytes of the bundle that are the feature's; 0, or the proof has failed. */
  readonly bytes: number
  readonly positive: Positive | null
  /** The first file that the proof names when the feature's define is flipped. */
  readonly mutation: string
  /** Bytes that the bundle has more, minified, with the define flipped: of the files that come, without those that go. */
  readonly saves: number
}

/**
 * Runs both controls for every feature that `delivered` lacks. `positiveOf` finds its positive control; undefined if no
 * profile has the feature. `suspects` are the files that the mutations brought; `brought` is called with files that may
 * be among them while other mutants are still being bundled.
 */
export async function runControls(
  plan: Plan,
  delivered: Bundle,
  absent: readonly PlannedFeature[],
  positiveOf: (feature: PlannedFeature) => Promise<Positive | undefined>,
  brought: (inputs: readonly string[]) => void = () => undefined,
): Promise<{ proofs: Record<string, AbsentProof>; problems: Problem[]; suspects: Attributed[] }> {
  const { target } = delivered
  const proofs: Record<string, AbsentProof> = {}
  const problems: Problem[] = []
  const suspects = new Map<string, Attributed>()
  const fail = (message: string): void =>
    void problems.push({ code: 'ERR_PROOF_CONTROL', message: `${target.form}: ${message}` })
  const text = controlText(plan, asOneFile(plan, target), absent)
  const flipped = absent.map(({ id, variant }) => ({ ...target.defines, [defineName(id)]: variant ?? true }))
  const bytes = isSplit(target) ? undefined : delivered.bytes
  const { unchanged, mutants } = await bundleMutants(text, flipped, bytes, brought)
  for (const message of await checkBasis(plan, delivered, controlText(plan, target, absent), unchanged)) fail(message)
  for (const [index, feature] of absent.entries()) {
    const name = nameOf(feature)
    const positive = (await positiveOf(feature)) ?? null
    if (positive !== null && positive.bytes === 0) {
      fail(`profile ${positive.profile} has ${name}, and no byte of its bundle is found to be the feature's.`)
    }
    const { metafile, more } = mutants[index]!
    const features = [...target.features.filter(({ id }) => id !== feature.id), feature]
    const leaks = findLeaks(plan, target, { metafile, target: { ...target, features } })
    for (const found of leaks) suspects.set(found.input, found)
    const leak = leaks.find(({ owner: whose }) => isOf(feature, whose))
    if (leak === undefined) fail(`with ${name} switched on, the proof still finds nothing of it.`)
    proofs[name] = { bytes: 0, positive, mutation: leak?.file ?? '', saves: more }
  }
  return { proofs, problems, suspects: [...suspects.values()] }
}

/** The target whose mutants show what a target lacks: what a library of several files has in it is no other in one. */
function asOneFile({ targets }: Plan, target: TargetPlan): TargetPlan {
  return (isSplit(target) && targets.find(({ form }) => form === 'single')) || target
}

/**
 * What is bundled for the controls: the text of `target`, and for a feature that this text has no place for (commands in
 * a library, code that only other features import) one line behind its define, before the rest. One text for all of them, and with the
 * defines as they are it makes the very bundle that is delivered.
 */
function controlText(plan: Plan, target: TargetPlan, absent: readonly PlannedFeature[]): Generated {
  const generated = generateTarget(plan, target)
  const lines = absent.map(({ id, feature: { plugin, exports = {}, commands, main, code } }) => {
    if (plugin !== undefined) return ''
    const modules = [code, commands, main, ...Object.values(exports)].filter((module) => module !== undefined)
    return conditionalImport(generated.folder, id, modules)
  })
  const entry = `${lines.join('')}${generated.files['entry.ts']}`
  return { ...generated, files: { ...generated.files, 'entry.ts': entry } }
}
