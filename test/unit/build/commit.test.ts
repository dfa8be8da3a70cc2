/** The commit of a build: its source, and that it does not change the hash of a proven bundle. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Bundle } from '../../../scripts/build/bundle/bundle.ts'
import { commitOf, stamp, unstamped, withCommit, withoutCommit } from '../../../scripts/build/stamp.ts'
import { folderWith } from '../../support/folder.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

test('SVC_COMMIT takes precedence, and a value that is not a commit is refused', () => {
  const before = process.env['SVC_COMMIT']
  try {
    for (const value of [COMMIT, 'abcdef0', `${COMMIT}-dirty`, 'unknown']) {
      process.env['SVC_COMMIT'] = value
      assert.is(commitOf(), value)
    }
    for (const value of ['main', 'v1.0.0', `${COMMIT} `, '0"+evil()+"', 'ABCDEF0']) {
      process.env['SVC_COMMIT'] = value
      assert.throws(() => commitOf(), /SVC_COMMIT is no commit/)
    }
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, 'SVC_COMMIT')
    else process.env['SVC_COMMIT'] = before
  }
})

test('the commit of a repository is its HEAD, marked if files were changed; a folder without a repository has none', () => {
  const folder = folderWith({ 'a.txt': 'one' })
  assert.is(commitOf(folder), 'unknown')
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
    const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' })
    assert.is(status, 0, stderr)
    return stdout.trim()
  }
  git('init', '--quiet')
  assert.is(commitOf(folder), 'unknown', 'no commit yet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'one')
  git('tag', '--annotate', '--message', 'a name', 'v1')
  const head = git('rev-parse', 'HEAD')
  assert.is(commitOf(folder), head)
  writeFileSync(join(folder, 'new.txt'), 'made by a build')
  assert.is(commitOf(folder), head)
  writeFileSync(join(folder, 'a.txt'), 'two')
  assert.is(commitOf(folder), `${head}-dirty`)
})

test('a bundle names its commit, and its hash is that of the bundle without one', () => {
  for (const mark of ['"', "'", '`']) {
    const raw = `m={node:${mark}1${mark},bundleSha256:${mark}${'0'.repeat(64)}${mark}, commit: ${mark}unknown${mark}}`
    const { text, sha256 } = stamp(raw)
    const named = withCommit({ text, target: { manifest: {} } } as unknown as Bundle, COMMIT)
    assert.is(named.text, raw.replace('0'.repeat(64), sha256).replace('unknown', COMMIT))
    assert.is(named.target.manifest.commit, COMMIT)
    assert.is(withoutCommit(named.text), text)
    assert.is(unstamped(named.text), raw)
    assert.is(
      unstamped(withCommit({ text, target: { manifest: {} } } as unknown as Bundle, `${COMMIT}-dirty`).text),
      raw,
    )
  }
})

test.run()
