/** Builds that must be refused. */
import { isSvcError, type SvcError } from '../../core/errors.ts'
import { buildProfile } from '../../scripts/build/build.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { bundlesOf } from '../../scripts/build/prove/controls/owners.ts'
import { positives } from '../../scripts/build/prove/controls/positives.ts'
import { prove } from '../../scripts/build/prove/prove.ts'
import { isDeep } from './count.ts'

/** How a build is made. */
export interface RefusalOptions {
  /**
   * Whether absences have their controls, which are most of a proof. They are of no account where something else is refused:
   * `make test` makes them only where they are what refuses, `make test-deep` everywhere.
   */
  readonly controls?: boolean
}

/** The error with which the build of a profile is refused, at its proof at the latest. */
export async function refusal(profile: string, { controls = isDeep() }: RefusalOptions = {}): Promise<SvcError> {
  try {
    if (controls) await buildProfile(profile, 'prove')
    else {
      const planned = await plan(profile)
      await prove(planned, await bundlesOf(planned), { isControlled: () => false, positiveOf: positives.positiveOf })
    }
  } catch (error) {
    if (isSvcError(error)) return error
    throw error
  }
  throw new Error('the build was not refused')
}
