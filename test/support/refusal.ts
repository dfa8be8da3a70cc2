/** Builds that must be refused. */
import { isSvcError, type SvcError } from '../../core/errors.ts'
import { buildProfile } from '../../scripts/build/build.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { prove } from '../../scripts/build/prove/prove.ts'
import { bundlesOf } from './bundles.ts'
import { isDeep } from './count.ts'

/** Options of a build. */
export interface RefusalOptions {
  /**
   * Whether absences are proved with their controls, which are most of the cost of a proof. Controls are unnecessary if
   * something else makes the build fail: `make test` runs them only where they are the cause of the refusal, `make
   * test-deep` everywhere.
   */
  readonly controls?: boolean
}

/** Builds a profile, up to its proof, and returns the error with which the build is refused. */
export async function refusal(profile: string, { controls = isDeep() }: RefusalOptions = {}): Promise<SvcError> {
  try {
    if (controls) await buildProfile(profile, 'prove')
    else {
      // Tests of `checkDefines`, and every build, check the defines in the project's own sources.
      const planned = await plan(profile, undefined, true)
      await prove(planned, await bundlesOf(planned), () => false)
    }
  } catch (error) {
    if (isSvcError(error)) return error
    throw error
  }
  throw new Error('the build was not refused')
}
