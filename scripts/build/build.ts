/** A whole build: plan → generate → bundle → prove → start → pack. */
import type { Awaitable } from '../../core/kernel/values.ts'
import type { Account } from './account/account.ts'
import { accountOf } from './account/make-account.ts'
import { type Bundle, bundle } from './bundle/bundle.ts'
import { acrossForms, throwAll } from './errors.ts'
import { type Generated, generate } from './generate/generate.ts'
import { pack } from './pack/pack.ts'
import { plan } from './plan/plan.ts'
import type { Plan } from './plan/target-plan.ts'
import { checkPolicy } from './policy/policy.ts'
import { bundleControls } from './prove/controls.ts'
import { checkUndeclared } from './prove/leaks.ts'
import { hashAhead } from './prove/packages/package-hash.ts'
import { installedFor } from './prove/packages/packages.ts'
import { type Proof, prove } from './prove/prove.ts'
import { type Stage, stages } from './stages.ts'
import { commitOf, NO_COMMIT, withCommit } from './stamp.ts'
import { startOnce } from './start/start.ts'

// esbuild, a program written in Go, collects garbage only above 1 GiB, because a build is too short to need it earlier.
process.env['GOGC'] ??= 'off'
process.env['GOMEMLIMIT'] ??= '1GiB'

/** Runs one stage, and may watch it meanwhile. */
export type AroundStage = <T>(stage: Stage, work: () => Awaitable<T>) => Promise<T>

/** Whether this process has checked how our own sources use defines, which is the same for every profile. */
let sourcesChecked = false

/**
 * Running builds by profile. Two builds of one profile run one after the other, because they write to the same folder.
 */
const underWay = new Map<string, Promise<Built>>()

/** Options of a build. */
export interface BuildOptions {
  /** Whether everything that was built is started once before it is delivered. */
  readonly start?: boolean
}

/** What a build has made, as far as it went. */
export interface Built {
  readonly plan: Plan
  readonly bundles: readonly Bundle[]
  readonly proofs: readonly Proof[]
  /** Undefined if no stage needed the account. */
  readonly account: Account | undefined
  /** Folder of the results, where the last stage ran. */
  readonly folder: string | undefined
}

/**
 * Builds a profile up to and including the stage `last`. `around` runs each stage, so that a caller can measure it.
 * Nothing is packed unless the proof holds.
 * @throws SvcError `ERR_PROFILE_*`, `ERR_FEATURE_*`, `ERR_FLAG_*`, `ERR_BUILD_*`, `ERR_PROOF_*`, `ERR_POLICY_*`
 */
export async function buildProfile(
  nameOrPath: string,
  last: Stage = 'pack',
  around: AroundStage = async (_, work) => work(),
  { start = true }: BuildOptions = {},
): Promise<Built> {
  const upTo = stages.indexOf(last)
  const planned = await around('plan', () => plan(nameOrPath, undefined, sourcesChecked))
  sourcesChecked = true
  const make = async (): Promise<Built> => {
    const generated = upTo >= 1 ? await around('generate', () => generate(planned)) : []
    // The controls of the proof are made beside the bundles, which alone cannot keep the processors busy.
    const controls = upTo >= 3 ? bundleControls(planned) : undefined
    const made = upTo >= 2 ? await around('bundle', () => bundled(planned, generated)) : []
    const judge = (): Promise<[Proof[], Account]> =>
      Promise.all([prove(planned, made, controls), allowedAccount(planned, made)])
    const [proofs, account] = upTo >= 3 ? await around('prove', judge) : [[], undefined]
    const commit = upTo >= 4 ? commitOf() : NO_COMMIT
    const bundles = made.map((one) => withCommit(one, commit))
    if (start && upTo >= 4) await around('start', () => startOnce(planned, bundles))
    const deliver = (): string => pack(planned, { bundles, proofs, account: account!, started: start })
    const folder = upTo >= 5 ? await around('pack', deliver) : undefined
    return { plan: planned, bundles, proofs, account, folder }
  }
  const { name } = planned.profile
  const built = (underWay.get(name) ?? Promise.resolve()).catch(() => undefined).then(make)
  underWay.set(name, built)
  return built.finally(() => {
    if (underWay.get(name) === built) underWay.delete(name)
  })
}

/**
 * The bundles of a profile.
 * @throws SvcError `ERR_BUILD_*`, and `ERR_PROOF_LEAK` if they contain packages that no feature names
 */
async function bundled(planned: Plan, generated: readonly Generated[]): Promise<Bundle[]> {
  const made = await Promise.all(generated.map((one) => bundle(one)))
  const problems = acrossForms(made.flatMap((one) => checkUndeclared(planned, one)))
  throwAll(`Bundle of ${planned.profile.name}`, problems)
  return made
}

/**
 * The account of bundles that the profile allows.
 * @throws SvcError `ERR_POLICY_*` with everything that the profile does not allow
 */
async function allowedAccount(planned: Plan, bundles: readonly Bundle[]): Promise<Account> {
  await hashAhead(bundles.flatMap((one) => installedFor(one, planned.profile.base)))
  const account = await accountOf(planned, bundles)
  throwAll(`Policy of ${planned.profile.name}`, checkPolicy(planned, account))
  return account
}
