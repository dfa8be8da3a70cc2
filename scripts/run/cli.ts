/** `make run`: builds a profile, starts its program in a separate folder, and prints how to reach it. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isSvcError } from '../../core/declare/errors.ts'
import type { Manifest } from '../../core/declare/manifest.ts'
import { openConsole } from '../toolkit/console.ts'
import { deliver } from '../toolkit/deliver.ts'
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
  const { io } = openConsole(true)
  const { folder: built } = await deliver(nameOrPath, io)
  const name = basename(built)
  const manifests = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as Record<string, Manifest>
  const manifest = manifests['svc.mjs']
  if (manifest === undefined) {
    console.log(`Profile ${name} is a library, and it is built: ${built}/index.mjs. docs/embedding.md shows its use.`)
    return
  }
  const program = join(built, 'svc.mjs')
  const folder = openRunFolder(name, program, manifest.settings)
  process.exitCode = await serve(name, program, folder, manifest)
}
