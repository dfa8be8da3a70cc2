/** Builds that end with their proof, and builds that must be refused. */
import { isSvcError, type SvcError } from '../../core/declare/errors.ts'
import { accountOf } from '../../scripts/build/account/make-account.ts'
import { type Built, buildProfile } from '../../scripts/build/build.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { bundleControls } from '../../scripts/build/prove/controls.ts'
import { prove } from '../../scripts/build/prove/prove.ts'
import { bundlesOf } from './bundles.ts'
import { isDeep } from './count.ts'

/** Options of a build. */
export interface ProofOptions {
  /**
   * Whether absences are proved with their controls, which are most of the cost of a proof. Controls are unnecessary if
   * a test asserts something else: `make test` runs them only where they are its subject, `make test-deep` everywhere.
   */
  readonly controls?: boolean
}

/** Builds a profile, up to its proof. */
export async function buildToProof(profile: string, { controls = isDeep() }: ProofOptions = {}): Promise<Built> {
  if (controls) return buildProfile(profile, 'prove')
  // Tests of `checkDefines`, and every build, check the defines in the project's own sources.
  const planned = await plan(profile, undefined, true)
  const bundles = await bundlesOf(planned)
  const uncontrolled = bundleControls(planned, () => false)
  const proofs = await prove(planned, bundles, uncontrolled)
  return { plan: planned, bundles, proofs, account: await accountOf(planned, bundles), folder: undefined }
}

/** Builds a profile, up to its proof, and returns the error with which the build is refused. */
export async function refusal(profile: string, options: ProofOptions = {}): Promise<SvcError> {
  try {
    await buildToProof(profile, options)
  } catch (error) {
    if (isSvcError(error)) return error
    throw error
  }
  throw new Error('the build was not refused')
}
