/**
 * `make bench [ONLY=auth] [WRITE=1]`: runs every comparison or one, and fails if a bar is missed. With WRITE=1, the
 * section of each comparison in docs/benchmarks.md is replaced by its output.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasPage, writeSection } from './page.ts'

/**
 * Each comparison is a folder with `bench.ts`. An installed copy of the toolkit contains only those that need no other
 * framework.
 */
const available = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, 'bench.ts')),
)

/** The exit code of a comparison that could not be measured (EX_SOFTWARE of sysexits.h). */
const FAILED = 70

const args = process.argv.slice(2)
const isWritten = args.includes('--write')
const [only = '', ...others] = args.filter((arg) => arg !== '--write')
if (others.length > 0 || !['', ...available].includes(only) || (isWritten && !hasPage)) {
  console.error(`usage: bench [${available.join(' | ')}]${hasPage ? ' [--write]' : ''}`)
  process.exitCode = 64
} else if (only !== '' && !isWritten) {
  await measure(only)
} else {
  for (const name of only === '' ? available : [only]) run(name)
}

/** Runs a comparison in this process. The exit code is 1 if a bar is missed. */
async function measure(name: string): Promise<void> {
  try {
    const { bench } = (await import(`./${name}/bench.ts`)) as { bench(): Promise<boolean> }
    if (!(await bench())) process.exitCode = 1
  } catch (error) {
    console.error(error)
    process.exitCode = FAILED
  }
}

/** Runs a comparison in a separate process, so that it does not measure leftovers of another one. */
function run(name: string): void {
  console.log(`${name}\n`)
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  })
  console.log(stdout)
  if (status !== 0) process.exitCode = 1
  const isMeasured = status === 0 || status === 1
  if (isWritten && isMeasured) writeSection(name, stdout, status === 0)
}
