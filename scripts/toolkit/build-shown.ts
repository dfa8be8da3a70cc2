/** Builds a profile and shows what takes so long. */
import { type Built, buildProfile, type Stage } from '../build/build.ts'
import { createProgress } from '../progress.ts'

/** As {@link buildProfile}, with its stages on stderr. */
export async function buildShown(profile: string, stage: Stage = 'pack'): Promise<Built> {
  const progress = createProgress(profile)
  return buildProfile(profile, stage, progress.step).finally(progress.end)
}
