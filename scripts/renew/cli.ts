/**
 * `make renew`: writes everything that is generated. First what follows from the sources and the bundles, then what commands
 * print, which the tests that run them leave.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../build/paths.ts'
import { renewedFiles } from './generated.ts'
import { seeing, seenDir } from './seen.ts'
import { renewedSizes } from './sizes.ts'

function write(texts: Iterable<readonly [string, string]>): void {
  for (const [path, text] of texts) {
    const file = join(root, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`renewed ${path}`)
  }
}

write(await renewedFiles())
write(await renewedSizes())

rmSync(seenDir, { recursive: true, force: true })
// One file at a time, because several tests leave parts of one page.
const { status } = spawnSync(
  process.execPath,
  ['test/run.ts', '--build', '--jobs', '1', '--timeout-ms', '3600000', ...seeing],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
const seen = globSync('**/*', { cwd: seenDir }).filter((path) => statSync(join(seenDir, path)).isFile())
write(seen.sort().map((path) => [path, readFileSync(join(seenDir, path), 'utf8')] as const))
// The lists of words follow from the pages.
write(await renewedFiles())
if (status !== 0) {
  console.log(
    seen.length > 0 ? 'Some tests failed, as those do that see a stale text. Run them again.' : 'A test failed.',
  )
  process.exitCode = seen.length > 0 ? 0 : 1
}
