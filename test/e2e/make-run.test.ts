/** `make run`: it says what it is doing, and then how to ask the service. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('make run')

test('each stage is a line on stderr, the log alone is on stdout, and the line to paste gets an answer', async () => {
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', join(root, 'scripts/run.ts'), 'minimal'],
    // A folder of its own: the build would take the executable out of dist/, which other tests read.
    env: { PATH: process.env['PATH'], HOME: folderWith(), SVC_DIST: folderWith(), SVC_SERVER__PORT: '0' },
  })
  try {
    await child.waitFor(/^minimal: plan \d+\.\d s$/m, 120_000)
    const [, token, address] = await child.waitFor(
      /curl -H 'Authorization: Bearer ([\w.-]+)' (http:\/\/127\.0\.0\.1:\d+\/\S+)/,
      240_000,
    )
    assert.match(
      child.err,
      /^minimal: generate \d+\.\d s\n(?:minimal: bundle \d+\.\d s\nminimal: prove \d+\.\d s\n)?minimal: pack/m,
    )
    const { status } = await fetch(address!, { headers: { authorization: `Bearer ${token}` } })
    assert.is(status, 200)
    for (const line of child.out.trim().split('\n')) assert.is(typeof JSON.parse(line), 'object', 'the log alone')
    assert.not.ok(child.err.includes('\u001b'), 'no colours where nobody reads a terminal')
  } finally {
    assert.is((await child.stop()).code, 0, child.err)
  }
})

test('the installation says that it runs, and how long it took', () => {
  const rule = /node_modules\/\.installed:.*\n((?:\t.*\n)+)/.exec(readFileSync(join(root, 'Makefile'), 'utf8'))![1]!
  const folder = folderWith({
    Makefile: `stamp:\n${rule}`,
    // In the place of npm: what it installs is tested by whoever runs these tests.
    'bin/npm': '#!/bin/sh\necho noise\n',
  })
  const { stderr, stdout, status } = spawnSync('sh', ['-c', 'chmod +x bin/npm && PATH=$PWD/bin:$PATH make stamp'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
  assert.match(stderr, /^install: what package-lock\.json pins\ninstall: \d+ s\n$/)
  assert.not.match(stdout, 'noise')
})

test.run()
