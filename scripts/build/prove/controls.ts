/**
 * The controls of the absence proof. A mutant has the define of an absent feature switched on. It must contain bytes of
 * the feature, so that the proof looks for the right files (positive control), and the proof must fail for it (mutation
 * control).
 */

import { createHash } from 'node:crypto'
import { type Bundle, bundleMutants, type Mutant } from '../bundle/bundle.ts'
import type { Problem } from '../errors.ts'
import { foldDefines } from '../generate/fold-defines.ts'
import { conditionalImport, type Generated, generateTarget } from '../generate/generate.ts'
import { defineName, toDefineText } from '../plan/defines.ts'
import { type PlannedFeature, planFeature } from '../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { unstamped } from '../stamp.ts'
import { attribute, isGenerated } from './attribute.ts'
import { findLeaks } from './leaks.ts'

/** The results of the proof and its controls for an absent feature. */
export interface AbsentProof {
  /** Bytes of the bundle that are the feature's; 0, or the proof has failed. */
  readonly bytes: number
  /** The profile whose mutant has the feature, and the bytes of the feature in it. */
  readonly positive: { readonly profile: string; readonly bytes: number }
  /** The first file that the proof names for the mutant. */
  readonly mutation: string
  /**
   * Minified bytes that the mutant has more, packages not counted: those of added files minus those of removed files.
   */
  readonly saves: number
}

/** The bundled controls of a target. */
export interface Controls {
  readonly target: TargetPlan
  /** The absent features with a mutant. */
  readonly absent: readonly PlannedFeature[]
  /** The text of which all are bundled. */
  readonly text: Generated
  /** The text with the defines of the target. */
  readonly unchanged: Mutant
  /** One for each absent feature. */
  readonly mutants: readonly Mutant[]
}

/**
 * Bundles the controls of every target of a plan. They do not depend on the bundles that are delivered, so they can be
 * made beside them. `isControlled` selects the absent features that get a mutant; a bundle that is delivered needs all.
 *
 * Targets with equal imports and defines share their mutants: a library in one file has the same mutants as the library
 * in several files. Only their manifests differ, which no control looks at.
 * @throws SvcError `ERR_BUILD_FAILED` with esbuild's messages
 */
export function bundleControls(
  plan: Plan,
  isControlled: (feature: PlannedFeature) => boolean = () => true,
): Promise<Controls[]> {
  const made = new Map<string, Promise<Mutant[]>>()
  const controls = Promise.all(
    plan.targets.map(async (target) => {
      const absent = absentFeatures(plan, target).filter(isControlled)
      const text = controlText(plan, target, absent)
      const choices = [target.defines, ...absent.map((feature) => switchedOn(text, feature).target.defines)]
      const key = JSON.stringify([target.platform, text.files['entry.ts'], text.files['registry.ts'], choices])
      const bundled = made.get(key) ?? bundleMutants(text, choices)
      made.set(key, bundled)
      const [unchanged, ...mutants] = await bundled
      return { target, absent, text, unchanged: unchanged!, mutants }
    }),
  )
  // Nobody awaits the controls of a bundle that is refused, and its error is the one to show.
  controls.catch(() => undefined)
  return controls
}

/** The features that a target lacks, and the other variants of its features. */
export function absentFeatures(plan: Plan, target: TargetPlan): PlannedFeature[] {
  const chosen = new Map(target.features.map(({ id, variant }) => [id, variant]))
  const absent: PlannedFeature[] = []
  for (const [id, feature] of Object.entries(plan.knownFeatures)) {
    const variants = typeof feature.plugin === 'object' ? Object.keys(feature.plugin) : [undefined]
    for (const variant of variants) {
      if (chosen.has(id) && chosen.get(id) === variant) continue
      absent.push(planFeature(id, variant ?? true, feature))
    }
  }
  return absent
}

/** Judges the controls of a bundle: for each feature that it lacks the positive control and the mutation control. */
export async function judgeControls(
  plan: Plan,
  delivered: Bundle,
  { target, absent, text, unchanged, mutants }: Controls,
): Promise<{ proofs: Record<string, AbsentProof>; problems: Problem[] }> {
  const proofs: Record<string, AbsentProof> = {}
  const problems = await checkBasis(plan, delivered, text, unchanged)
  for (const [index, feature] of absent.entries()) {
    const name = nameOf(feature)
    const saves = mutants[index]!.bytes - unchanged.bytes
    const together = { ...judge(plan, text, feature, mutants[index]!), saves }
    // The define may count in files that were not generated, where all mutants have the defines of the target.
    const result = together.bytes > 0 ? together : await controlAlone(plan, text, feature)
    if (result.bytes === 0 || result.mutation === '')
      problems.push(`with ${name} switched on, the proof still finds nothing of it.`)
    proofs[name] = {
      bytes: 0,
      positive: { profile: plan.profile.name, bytes: result.bytes },
      mutation: result.mutation,
      saves: result.saves,
    }
  }
  const toProblem = (message: string): Problem => ({
    code: 'ERR_PROOF_CONTROL',
    message: `${target.form}: ${message}`,
  })
  return { proofs, problems: problems.map(toProblem) }
}

/** Bundles a mutant by itself: its define is switched on in every file, as in a profile that has the feature. */
async function controlAlone(
  plan: Plan,
  text: Generated,
  feature: PlannedFeature,
): Promise<{ bytes: number; mutation: string; saves: number }> {
  const alone = async (one: Generated): Promise<Mutant> => (await bundleMutants(one, [one.target.defines]))[0]!
  const [before, after] = await Promise.all([alone(text), alone(switchedOn(text, feature))])
  return { ...judge(plan, text, feature, after), saves: after.bytes - before.bytes }
}

/** The bytes of a feature in its mutant, and the first file of the feature that the proof names. */
export function judge(
  plan: Plan,
  { target }: Generated,
  feature: PlannedFeature,
  { metafile }: Pick<Mutant, 'metafile'>,
): { bytes: number; mutation: string } {
  const features = [...target.features.filter(({ id }) => id !== feature.id), feature]
  const leaks = findLeaks(plan, target, { metafile, target: { ...target, features } })
  const bytes = attribute(plan, metafile)
    .filter(({ owner }) => isOf(feature, owner))
    .reduce((sum, one) => sum + one.bytes, 0)
  return { bytes, mutation: leaks.find(({ owner }) => isOf(feature, owner))?.file ?? '' }
}

/** Whether an owner of bytes is a feature. A feature without variants owns all of its files; a variant only its own. */
function isOf({ id, variant }: PlannedFeature, owner: string): boolean {
  return variant === undefined ? owner === `feature:${id}` : owner === `variant:${id}=${variant}`
}

/** The name of a feature in a proof, such as `auth.jwks` or `auth.guard=web`. */
export function nameOf({ id, variant }: PlannedFeature): string {
  return variant === undefined ? id : `${id}=${variant}`
}

/**
 * The text that the controls bundle: the text of `target`, preceded by one conditional import for each absent feature
 * that the text does not import (commands in a library, code that only other features import). Without a define that is
 * switched on, it gives the delivered bundle.
 */
export function controlText(plan: Plan, target: TargetPlan, absent: readonly PlannedFeature[]): Generated {
  const generated = generateTarget(plan, target)
  const lines = absent.map(({ id, feature: { plugin, exports = {}, commands, main, code } }) => {
    if (plugin !== undefined) return ''
    const modules = [code, commands, main, ...Object.values(exports)].filter((module) => module !== undefined)
    return conditionalImport(generated.folder, id, modules)
  })
  const entry = `${lines.join('')}${generated.files['entry.ts']}`
  return { ...generated, files: { ...generated.files, 'entry.ts': entry } }
}

/** A text with the define of an absent feature switched on. */
export function switchedOn(text: Generated, { id, variant }: PlannedFeature): Generated {
  const defines = { ...text.target.defines, [defineName(id)]: variant ?? true }
  return { ...text, target: { ...text.target, defines } }
}

/**
 * Returns the problems with the text of the controls, and with the delivered bundle. The bundler gets a text with
 * folded defines, so two texts that are equal after folding give the same bundle. `unchanged` is the mutant without a
 * define that is switched on: it leaves packages out, and may read no file that the bundle does not have.
 */
export async function checkBasis(
  plan: Plan,
  { target, text, sha256, bytes, metafile }: Bundle,
  control: Generated,
  unchanged: Mutant,
): Promise<string[]> {
  const problems: string[] = []
  const [planText, controlText] = await Promise.all([generateTarget(plan, target), control].map(folded))
  if (planText !== controlText) problems.push('the text of the controls makes another bundle.')
  const whole = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
  if (hashOf(unstamped(text) ?? '') !== sha256 || whole !== bytes)
    problems.push('the bundle that was made is not the one that its account is of.')
  const other = Object.keys(unchanged.metafile.inputs).filter(
    (file) => !isGenerated(file) && !(file in metafile.inputs),
  )
  if (other.length > 0)
    problems.push(`the controls read files that the bundle does not have: ${other.sort().slice(0, 3).join(', ')}.`)
  return problems
}

/** What the bundler gets of a generated text. */
async function folded({ files, target }: Generated): Promise<string> {
  const defines = toDefineText(target.defines)
  const code = await Promise.all(['entry.ts', 'registry.ts'].map((name) => foldDefines(files[name]!, defines)))
  return JSON.stringify([...code, files['manifest.ts']])
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
