/** A whole build: plan → generate → bundle → prove → pack. */
import type { Awaitable } from '../../core/awaitable.ts'
import { type Account, accountOf } from './account/account.ts'
import type { Bundle } from './bundle/bundle.ts'
import { hasAnyEntry, hasEntry, isCacheable, keep, readCached } from './cache/cache.ts'
import { isCi } from './cache/cache-files.ts'
import { inputsKey } from './cache/inputs-key.ts'
import { commitOf, NO_COMMIT, withCommit } from './commit.ts'
import { throwAll } from './errors.ts'
import { generate } from './generate/generate.ts'
import { pack } from './pack/pack.ts'
import { standardProfiles } from './plan/load-profile.ts'
import { plan } from './plan/plan.ts'
import type { Plan } from './plan/target-plan.ts'
import { checkPolicy } from './policy/policy.ts'
import { bundlesOf } from './prove/controls/owners.ts'
import { positives } from './prove/controls/positives.ts'
import { hashAhead } from './prove/packages/package-hash.ts'
import { installedFor } from './prove/packages/packages.ts'
import { type Proof, prove } from './prove/prove.ts'

// esbuild, a program written in Go, collects garbage only above 1 GiB, because a build is too short to need it earlier.
process.env['GOGC'] ??= 'off'
process.env['GOMEMLIMIT'] ??= '1GiB'

/** The stages in order; each includes those before it. */
export const stages = ['plan', 'generate', 'bundle', 'prove', 'pack'] as const

/** Name of a stage. */
export type Stage = (typeof stages)[number]

/** Runs one stage, and may watch it meanwhile. */
export type AroundStage = <T>(stage: Stage, work: () => Awaitable<T>) => Promise<T>

/** Whether this process has built a profile of ours, and with it checked how the sources of all of ours use defines. */
let sourcesChecked = false

/** Running builds by profile. Two builds of one profile run one after the other, because they write to the same folder. */
const underWay = new Map<string, Promise<Built>>()

/** What a build has made, as far as it went. */
export interface Built {
  readonly plan: Plan
  readonly bundles: readonly Bundle[]
  readonly proofs: readonly Proof[]
  /** Undefined if no stage needed the account. */
  readonly account: Account | undefined
  /** Whether bundles and proofs come from the cache of an earlier build of the same sources. */
  readonly reused: boolean
  /** Folder of the results, where the last stage ran. */
  readonly folder: string | undefined
}

/**
 * Builds a profile up to and including the stage `last`. `around` runs each stage, so that a caller can measure it. Nothing is
 * packed unless the proof holds.
 * @throws SvcError `ERR_PROFILE_*`, `ERR_FEATURE_*`, `ERR_FLAG_*`, `ERR_BUILD_FAILED`, `ERR_PROOF_*`, `ERR_POLICY_*`
 */
export async function buildProfile(
  nameOrPath: string,
  last: Stage = 'pack',
  around: AroundStage = async (_, work) => work(),
): Promise<Built> {
  const upTo = stages.indexOf(last)
  // The cached positive controls of every profile depend on our sources, so the key is taken before a source is read.
  const ofSources = upTo >= 3 && !isCi() ? inputsKey() : undefined
  ofSources?.catch(() => undefined)
  if (ofSources !== undefined) positives.open(ofSources)
  const keyed = isCacheable(nameOrPath) ? ofSources : undefined
  // The key takes long to compute. Without a cache entry it is first needed when the results are cached.
  const key = hasAnyEntry(nameOrPath) ? await keyed : undefined
  const isOurs = standardProfiles().includes(nameOrPath)
  const checked = isOurs && (sourcesChecked || (key !== undefined && hasEntry(nameOrPath, key)))
  const planned = await around('plan', () => plan(nameOrPath, undefined, checked))
  sourcesChecked ||= isOurs
  const make = async (): Promise<Built> => {
    if (upTo >= 1) await around('generate', () => generate(planned))
    const kept = key === undefined ? undefined : readCached(planned, key)
    const toBundle = kept === undefined && upTo >= 2
    const made = kept?.bundles ?? (toBundle ? await around('bundle', () => bundlesOf(planned)) : [])
    const toProve = kept === undefined && upTo >= 3
    // A proof takes seconds, and a licence that the profile does not allow is found without one.
    const early = toProve && upTo >= 4 && planned.profile.licenses !== undefined
    const known = kept?.account ?? (early ? await allowedAccount(planned, made) : undefined)
    const proofs = kept?.proofs ?? (toProve ? await around('prove', () => prove(planned, made)) : [])
    const account = known ?? (keyed !== undefined || upTo >= 4 ? await accountOf(planned, made) : undefined)
    if (keyed !== undefined && kept === undefined)
      keep(planned, await keyed, { bundles: made, proofs, account: account! })
    const commit = upTo >= 4 ? commitOf() : NO_COMMIT
    const bundles = made.map((one) => withCommit(one, commit))
    const deliver = async (): Promise<string> => {
      holdToPolicy(planned, account!)
      return pack(planned, { bundles, proofs, account: account! })
    }
    const reused = kept !== undefined
    return {
      plan: planned,
      bundles,
      proofs,
      account,
      reused,
      folder: upTo >= 4 ? await around('pack', deliver) : undefined,
    }
  }
  const { name } = planned.profile
  const built = (underWay.get(name) ?? Promise.resolve()).catch(() => undefined).then(make)
  underWay.set(name, built)
  return built.finally(() => {
    if (underWay.get(name) === built) underWay.delete(name)
  })
}

/** The account of bundles that the profile allows. */
async function allowedAccount(planned: Plan, bundles: readonly Bundle[]): Promise<Account> {
  await hashAhead(bundles.flatMap(installedFor))
  const account = await accountOf(planned, bundles)
  holdToPolicy(planned, account)
  return account
}

/** @throws SvcError `ERR_POLICY_*` with everything that the profile does not allow */
function holdToPolicy(planned: Plan, account: Account): void {
  throwAll(`Policy of ${planned.profile.name}`, checkPolicy(planned, account))
}
