/**
 * Replaces `make run` for the commands of pages: starts the same service in the same folder of a clone, but from the
 * existing build. `test/e2e/make-run.test.ts` runs the real `make run`, which builds first.
 *
 *   node make-run.ts <clone> <port>
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../core/declare/manifest.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { openRunFolder } from '../../../scripts/run/run-folder.ts'
import { serve } from '../../../scripts/run/serve.ts'

const profile = 'server-full'
const [clone, port] = process.argv.slice(2) as [string, string]
const base = join(clone, '.build', 'run')
const built = distDir(profile)
const program = join(built, 'svc.mjs')
const { 'svc.mjs': manifest } = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8')) as Record<
  'svc.mjs',
  Manifest
>

// Writes the port to the settings file, as the owner of the folder can.
mkdirSync(join(base, profile), { recursive: true, mode: 0o700 })
writeFileSync(join(base, profile, 'service.json'), JSON.stringify({ server: { port: Number(port) } }), { mode: 0o600 })
process.exitCode = await serve(profile, program, openRunFolder(profile, program, manifest.settings, base), manifest)
