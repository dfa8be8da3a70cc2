/** Tarballs say nothing about the person and the machine that made them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packFolder } from '../../../scripts/package/pack-folder.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('tarballs')

const foreign = execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU tar')
  ? undefined
  : 'needs GNU tar'

/** Packs the same files, created in an order, at a time and with a umask. */
async function packed(names: readonly string[], atS: number, mode: number): Promise<Buffer> {
  const home = folderWith()
  mkdirSync(join(home, 'package'))
  for (const name of names) {
    const file = join(home, 'package', name)
    writeFileSync(file, name)
    chmodSync(file, mode)
    utimesSync(file, atS, atS)
  }
  const target = join(home, 'p.tgz')
  await packFolder(join(home, 'package'), target)
  return readFileSync(target)
}

testUnless(
  test,
  foreign,
  'a tarball has no user, no time of the builder, and the same bytes from every builder',
  async () => {
    const one = await packed(['b.js', 'a.js'], 1_700_000_000, 0o600)
    assert.ok(one.equals(await packed(['a.js', 'b.js'], 1_600_000_000, 0o664)))
    const listed = execFileSync('tar', ['-tvz', '--full-time', '--numeric-owner'], {
      input: one,
      encoding: 'utf8',
      env: { TZ: 'UTC', PATH: process.env['PATH'] },
    })
    for (const line of listed.trim().split('\n')) assert.match(line, / 0\/0 .* 1985-10-26 08:15:00 package\//)
    assert.is(execFileSync('tar', ['-xzO', 'package/a.js'], { input: one, encoding: 'utf8' }), 'a.js')
    const header = execFileSync('gzip', ['-dc'], { input: one })
    assert.is(header.subarray(265, 329).toString('latin1').replaceAll('\0', ''), '', 'no names of users and groups')
  },
)

test.run()
