/**
 * `make renew`: writes everything that is generated. First what follows from the sources and the bundles, then what
 * commands print, which the tests that run them leave.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../build/paths.ts'
import { renewedFiles } from './generated.ts'
import { commandTests, seenDir } from './seen-texts.ts'
import { renewedSizes } from './sizes.ts'

/** How many times a test file runs at most: its output may depend on a text that it renewed. */
const ROUNDS = 3

/** Writes the texts that differ from their files. Returns how many were written. */
function write(texts: Iterable<readonly [string, string]>): number {
  let renewed = 0
  for (const [path, text] of texts) {
    const file = join(root, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`renewed ${path}`)
    renewed++
  }
  return renewed
}

/** Runs the test files of a part until they pass with the texts that they have left. Returns whether they pass. */
function renewCommands(part: string): boolean {
  for (let round = 1; ; round++) {
    rmSync(seenDir, { recursive: true, force: true })
    // One file at a time, because several tests leave parts of one page.
    const { status } = spawnSync(
      process.execPath,
      ['test/run.ts', '--build', '--jobs', '1', '--timeout-ms', '3600000', part],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
    )
    const seen = globSync('**/*', { cwd: seenDir }).filter((path) => statSync(join(seenDir, path)).isFile())
    const renewed = write(seen.sort().map((path) => [path, readFileSync(join(seenDir, path), 'utf8')] as const))
    if (status === 0 || renewed === 0 || round === ROUNDS) return status === 0
  }
}

write(await renewedFiles())
write(await renewedSizes())
const failed = commandTests.filter((part) => !renewCommands(part))
// The lists of words follow from the pages.
write(await renewedFiles())
if (failed.length > 0) {
  console.log(`Tests still fail with the renewed texts (their output is above): ${failed.join(', ')}`)
  process.exitCode = 1
}
