/** A whole build: plan → generate → bundle → prove → pack. */
import { type Bundle, bundle } from './bundle.ts'
import { inputsKey, isCacheable, keep, readKept } from './cache.ts'
import { generate } from './generate.ts'
import { lazy } from './lazy.ts'
import { pack } from './pack.ts'
import { type Plan, plan } from './plan.ts'
import { remember } from './prove/owners.ts'
import { type Proof, prove } from './prove/prove.ts'

// A build is short: the bundler, which is a process of its own and starts with the first file, need not tidy up meanwhile.
process.env['GOGC'] ??= 'off'
process.env['GOMEMLIMIT'] ??= '1GiB'

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
 * Builds a profile up to and including a stage. Nothing is delivered unless the proof holds.
 * @throws SvcError `ERR_PROFILE_*`, `ERR_FEATURE_*`, `ERR_FLAG_*`, `ERR_BUILD_FAILED`, `ERR_PROOF_*`
 */
export async function buildProfile(nameOrPath: string, last: Stage = 'pack'): Promise<Built> {
  const [result] = await buildProfiles([nameOrPath], last)
  if (result!.status === 'rejected') throw result!.reason
  return result!.value
}

/**
 * Builds several profiles, side by side: each is planned and bundled once, also where it is the positive control of another.
 * One that fails keeps no other from being delivered.
 */
export async function buildProfiles(
  names: readonly string[],
  last: Stage = 'pack',
): Promise<PromiseSettledResult<Built>[]> {
  const upTo = stages.indexOf(last)
  const inputs = lazy(() => inputsKey())
  const made = await Promise.allSettled(names.map((name) => make(name, upTo, inputs)))
  return Promise.allSettled(
    made.map(async (result) => {
      if (result.status === 'rejected') throw result.reason
      const { plan, key, kept, bundles } = result.value
      const proofs = kept ?? (upTo >= 3 ? await prove(plan, bundles) : [])
      if (key !== undefined && kept === undefined) keep(plan, key, { bundles, proofs })
      const folder = upTo >= 4 ? pack(plan, bundles, proofs) : undefined
      return { plan, bundles, proofs, folder }
    }),
  )
}

/** A profile up to its bundles, and where nothing has changed what was made and proven of it before. */
async function make(
  name: string,
  upTo: number,
  inputs: () => string,
): Promise<{ plan: Plan; key: string | undefined; kept: readonly Proof[] | undefined; bundles: readonly Bundle[] }> {
  const planned = await plan(name)
  const generated = upTo >= 1 ? generate(planned) : []
  const key = upTo >= 3 && isCacheable(planned) ? inputs() : undefined
  const kept = key === undefined ? undefined : readKept(planned, key)
  const bundles = kept?.bundles ?? (upTo >= 2 ? await Promise.all(generated.map((one) => bundle(one))) : [])
  if (upTo >= 3) remember(planned, bundles)
  return { plan: planned, key, kept: kept?.proofs, bundles }
}
