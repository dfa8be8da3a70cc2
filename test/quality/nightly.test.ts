/** The nightly script refuses a wrong part, and calls targets that exist. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('nightly')
const root = join(import.meta.dirname, '../..')
const script = join(root, '.ci/nightly')

test('a wrong part is refused before anything runs', () => {
  for (const part of ['3/2', '0/1', 'x', '1/', '1/2/3', '']) {
    const { status, stdout, stderr } = spawnSync('bash', [script, ...(part === '' ? [' '] : [part])], {
      encoding: 'utf8',
    })
    assert.equal([status, stdout], [64, ''], part)
    assert.match(stderr, /give n\/m, such as 2\/8/)
  }
})

test('each target that the script calls is in the Makefile', () => {
  const targets = [...readFileSync(script, 'utf8').matchAll(/^make ([\w-]+)/gm)].map((match) => match[1]!)
  assert.equal(targets, ['test-deep', 'combos', 'simulate', 'fuzz'])
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8')
  for (const target of targets) assert.match(makefile, new RegExp(`^${target}: install ## `, 'm'))
})

test.run()
