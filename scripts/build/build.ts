/** A whole build: plan → generate → bundle → prove → pack. */
import { accountOf } from './account/account.ts'
import { type Bundle, bundle } from './bundle.ts'
import { inputsKey, isCacheable, keep, readKept } from './cache.ts'
import { throwAll } from './errors.ts'
import { generate } from './generate.ts'
import { pack } from './pack.ts'
import { type Plan, plan } from './plan.ts'
import { checkPolicy } from './policy.ts'
import { type Proof, prove } from './prove/prove.ts'

/** The stages in order; each includes those before it. */
export const stages = ['plan', 'generate', 'bundle', 'prove', 'pack'] as const

/** Name of a stage. */
export type Stage = (typeof stages)[number]

/** What a build has made, as far as it went. */
export interface Built {
  readonly plan: Plan
  readonly bundles: readonly Bundle[]
  readonly proofs: readonly Proof[]
  /** Folder of the results, where the last stage ran. */
  readonly folder: string | undefined
}

/**
 * Builds a profile up to and including a stage; `onStage` hears of each as it begins. Nothing is delivered unless the proof
 * holds.
 * @throws SvcError `ERR_PROFILE_*`, `ERR_FEATURE_*`, `ERR_FLAG_*`, `ERR_BUILD_FAILED`, `ERR_PROOF_*`, `ERR_POLICY_*`
 */
export async function buildProfile(
  nameOrPath: string,
  last: Stage = 'pack',
  onStage: (stage: Stage) => void = () => undefined,
): Promise<Built> {
  const upTo = stages.indexOf(last)
  onStage('plan')
  const planned = await plan(nameOrPath)
  if (upTo >= 1) onStage('generate')
  const generated = upTo >= 1 ? generate(planned) : []
  const key = upTo >= 3 && isCacheable(planned) ? inputsKey() : undefined
  const kept = key === undefined ? undefined : readKept(planned, key)
  if (upTo >= 2) onStage('bundle')
  const bundles = kept?.bundles ?? (upTo >= 2 ? await Promise.all(generated.map((one) => bundle(one))) : [])
  if (upTo >= 3) onStage('prove')
  const proofs = kept?.proofs ?? (upTo >= 3 ? await prove(planned, bundles) : [])
  if (key !== undefined && kept === undefined) keep(planned, key, { bundles, proofs })
  if (upTo >= 4) onStage('pack')
  if (upTo < 4) return { plan: planned, bundles, proofs, folder: undefined }
  const account = await accountOf(planned, bundles)
  throwAll(`Policy of ${planned.profile.name}`, checkPolicy(planned, account))
  return { plan: planned, bundles, proofs, folder: pack(planned, bundles, proofs, account) }
}
