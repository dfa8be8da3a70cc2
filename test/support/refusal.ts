/** Builds that must be refused. */
import { isSvcError, type SvcError } from '../../core/errors.ts'
import { buildProfile } from '../../scripts/build/build.ts'

/** The error with which the build of a profile is refused, at its proof at the latest. */
export async function refusal(profile: string): Promise<SvcError> {
  try {
    await buildProfile(profile, 'prove')
  } catch (error) {
    if (isSvcError(error)) return error
    throw error
  }
  throw new Error('the build was not refused')
}
