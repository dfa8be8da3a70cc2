/** A folder is made to contain the given files only. Files that are already equal are not written. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { syncFolder } from '../../../scripts/build/write-folder.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('folders of a build')

test('missing and different files are written, other files are removed, and equal files stay untouched', () => {
  const folder = folderWith({ same: 'a', other: 'b', strange: 'c', 'deep/strange': 'd', elsewhere: 'e' })
  const target = join(folder, 'out')
  syncFolder(target, { same: 'a', bytes: new Uint8Array([0, 255]) })
  utimesSync(join(target, 'same'), 1, 1)
  mkdirSync(join(target, 'folder', 'inside'), { recursive: true })
  // A write through this link would change a file outside of the folder.
  symlinkSync(join(folder, 'elsewhere'), join(target, 'other'))
  syncFolder(target, { same: 'a', bytes: new Uint8Array([0, 254]), other: 'B' })
  assert.equal(readdirSync(target).sort(), ['bytes', 'other', 'same'])
  assert.is(statSync(join(target, 'same')).mtimeMs, 1000)
  assert.equal([...readFileSync(join(target, 'bytes'))], [0, 254])
  assert.is(readFileSync(join(target, 'other'), 'utf8'), 'B')
  assert.is(readFileSync(join(folder, 'elsewhere'), 'utf8'), 'e')
})

test.run()
