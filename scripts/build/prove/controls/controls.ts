/**
 * The controls of the absence proof. A mutant has the define of an absent feature switched on. It must contain bytes of the
 * feature, so that the proof looks for the right files (positive control), and the proof must fail for it (mutation control).
 */
import { type Bundle, bundleMutants, type Mutant } from '../../bundle/bundle.ts'
import type { Problem } from '../../errors.ts'
import type { Generated } from '../../generate/generate.ts'
import type { PlannedFeature } from '../../plan/plan-feature.ts'
import type { Plan } from '../../plan/target-plan.ts'
import { attribute } from '../attribute.ts'
import { findLeaks } from '../leaks.ts'
import { checkBasis } from './basis.ts'
import { controlText, switchedOn } from './mutants.ts'

/** The results of the proof and its controls for an absent feature. */
export interface AbsentProof {
  /** Bytes of the bundle that are the feature's; 0, or the proof has failed. */
  readonly bytes: number
  /** The profile whose mutant has the feature, and the bytes of the feature in it. */
  readonly positive: { readonly profile: string; readonly bytes: number }
  /** The first file that the proof names for the mutant. */
  readonly mutation: string
  /** Minified bytes that the mutant has more, packages not counted: those of added files minus those of removed files. */
  readonly saves: number
}

/** Runs both controls for every feature that `delivered` lacks. */
export async function runControls(
  plan: Plan,
  delivered: Bundle,
  absent: readonly PlannedFeature[],
): Promise<{ proofs: Record<string, AbsentProof>; problems: Problem[] }> {
  const { target } = delivered
  const proofs: Record<string, AbsentProof> = {}
  const text = controlText(plan, target, absent)
  const changed = absent.map((feature) => switchedOn(text, feature).target.defines)
  const [unchanged, ...mutants] = await bundleMutants(text, [target.defines, ...changed])
  const problems = await checkBasis(plan, delivered, text, unchanged!)
  for (const [index, feature] of absent.entries()) {
    const name = nameOf(feature)
    const saves = mutants[index]!.bytes - unchanged!.bytes
    const together = { ...judge(plan, text, feature, mutants[index]!), saves }
    // The define may count in files that were not generated, where all mutants have the defines of the target.
    const found = together.bytes > 0 ? together : await controlAlone(plan, text, feature)
    if (found.bytes === 0 || found.mutation === '')
      problems.push(`with ${name} switched on, the proof still finds nothing of it.`)
    proofs[name] = {
      bytes: 0,
      positive: { profile: plan.profile.name, bytes: found.bytes },
      mutation: found.mutation,
      saves: found.saves,
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
