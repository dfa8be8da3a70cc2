/** Conformance of profile `sparse`, on which the absent sides run that run on no profile of ours. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildProfile } from '../../scripts/build/build.ts'
import { buildDir, distDir } from '../../scripts/build/paths.ts'
import { ABSENT } from './profiles/sparse.ts'
import { conformance } from './suite.ts'

const profile = join(import.meta.dirname, 'profiles/sparse.ts')

await buildProfile(profile)
process.once('exit', () => {
  for (const folder of [buildDir('sparse'), distDir('sparse')]) rmSync(folder, { recursive: true, force: true })
})
await conformance(profile, {
  forms: ['source', 'executable'],
  quick: {
    elsewhere: 'server-full has the same features',
    least: Number.POSITIVE_INFINITY,
    keeps: (_, features) => features.some((id) => ABSENT.includes(id)),
  },
})
