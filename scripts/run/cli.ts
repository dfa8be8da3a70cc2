/** `make run`: builds a profile, starts its program in a separate folder, and prints how to reach it. */
import { join } from 'node:path'
import { isSvcError } from '../../core/errors.ts'
import { buildProfile } from '../build/build.ts'
import { createProgress } from '../progress.ts'
import { openRunFolder } from './run-folder.ts'
import { serve } from './serve.ts'

const [profile = 'server-full'] = process.argv.slice(2)

try {
  await run(profile)
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}

async function run(nameOrPath: string): Promise<void> {
  const progress = createProgress(nameOrPath)
  const { plan, folder: built } = await buildProfile(nameOrPath, 'pack', progress.step).finally(progress.end)
  const main = plan.targets.find(({ form }) => form === 'main')
  if (main === undefined) {
    console.log(
      `Profile ${plan.profile.name} is a library, and it is built: ${built}/index.mjs. docs/embedding.md shows its use.`,
    )
    return
  }
  const program = join(built!, 'svc.mjs')
  const folder = openRunFolder(plan.profile.name, program, main.manifest.settings)
  process.exitCode = await serve(plan.profile.name, program, folder, main.manifest)
}
