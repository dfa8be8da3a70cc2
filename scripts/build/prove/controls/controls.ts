/**
 * The controls of the absence proof. Positive control: the bundle of a profile with the feature has files of the feature, so
 * the proof looks for the right files. Mutation control: with the define of the feature flipped, the proof must fail.
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

/** The results of the proof and its controls for an absent feature. */
export interface AbsentProof {
  /** Bytes of the bundle that are the feature's; 0, or the proof has failed. */
  readonly bytes: number
  readonly positive: Positive | null
  /** The first file that the proof names when the feature's define is flipped. */
  readonly mutation: string
  /** Minified bytes by which the bundle grows with the define flipped: bytes of added files minus bytes of removed files. */
  readonly saves: number
}

/**
 * Runs both controls for every feature that `delivered` lacks. `positiveOf` finds its positive control; undefined if no
 * profile has the feature. `suspects` are the files that the mutations brought; `onFiles` is called with files that may
 * be among them while other mutants are still being bundled.
 */
export async function runControls(
  plan: Plan,
  delivered: Bundle,
  absent: readonly PlannedFeature[],
  positiveOf: (feature: PlannedFeature) => Promise<Positive | undefined>,
  onFiles: (inputs: readonly string[]) => void = () => undefined,
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
  const { unchanged, mutants } = await bundleMutants(text, flipped, bytes, onFiles)
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

/** The target that the mutants use: a library of several files has the same contents as the one of a single file, if there is one. */
function asOneFile({ targets }: Plan, target: TargetPlan): TargetPlan {
  return (isSplit(target) && targets.find(({ form }) => form === 'single')) || target
}

/**
 * The text that the controls bundle: the text of `target`, preceded by one conditional import for each absent feature that the
 * text does not import (commands in a library, code that only other features import). All controls of a target use this one
 * text. Without a flipped define it gives the delivered bundle.
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
