/** The project's own standards: each tool must report nothing. Types and dead code keep in `.build/` what they read. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

/** Knip compares the files with what it kept of them, but not its settings. */
const settings = createHash('sha256')
for (const file of ['knip.ts', 'package.json', 'tsconfig.json']) settings.update(readFileSync(file))

const tools: Readonly<Record<string, readonly string[]>> = {
  'types: tsc': [
    'node_modules/typescript-native/bin/tsc',
    ...['-p', '.', '--noEmit', '--incremental', '--tsBuildInfoFile', '.build/tsc.tsbuildinfo'],
  ],
  'lint and formatting: biome': ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  'dead code: knip': [
    'node_modules/knip/bin/knip.js',
    ...['--no-progress', '--cache', '--cache-location', `.build/knip/${settings.digest('hex').slice(0, 16)}`],
  ],
}

for (const [name, args] of Object.entries(tools)) {
  test(name, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.is(status, 0, `${stdout}\n${stderr}`)
  })
}

test.run()
