/** A folder is made to hold some files and nothing else; what is there already is left alone. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { syncFolder } from '../../../scripts/build/generate/sync-folder.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('folders of a build')

test('what is missing or different is written, what is strange is removed, what is there stays', () => {
  const folder = folderWith({ same: 'a', other: 'b', strange: 'c', 'deep/strange': 'd', elsewhere: 'e' })
  const target = join(folder, 'out')
  syncFolder(target, { same: 'a', bytes: new Uint8Array([0, 255]) })
  utimesSync(join(target, 'same'), 1, 1)
  mkdirSync(join(target, 'folder', 'inside'), { recursive: true })
  // Written through a link, the file would land elsewhere.
  symlinkSync(join(folder, 'elsewhere'), join(target, 'other'))
  syncFolder(target, { same: 'a', bytes: new Uint8Array([0, 254]), other: 'B' })
  assert.equal(readdirSync(target).sort(), ['bytes', 'other', 'same'])
  assert.is(statSync(join(target, 'same')).mtimeMs, 1000)
  assert.equal([...readFileSync(join(target, 'bytes'))], [0, 254])
  assert.is(readFileSync(join(target, 'other'), 'utf8'), 'B')
  assert.is(readFileSync(join(folder, 'elsewhere'), 'utf8'), 'e')
})

test.run()
