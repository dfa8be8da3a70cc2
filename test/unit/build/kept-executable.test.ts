/** A build keeps the executable that has its program, and removes any other one. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Bundle } from '../../../scripts/build/bundle/bundle.ts'
import { keptExecutable } from '../../../scripts/build/pack/kept-executable.ts'
import { EXECUTABLE } from '../../../scripts/build/paths.ts'
import { replaceFolder } from '../../../scripts/build/write-folder.ts'
import { folderWith } from '../../support/folder.ts'

const PROGRAM = 'a'.repeat(64)

/** A folder with an executable of {@link PROGRAM}, as `make binary` leaves it. */
function delivered(): string {
  const bytes = 'the executable'
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = { [EXECUTABLE]: { owner: 'executable', bytes: bytes.length, sha256 } }
  return folderWith({
    [EXECUTABLE]: bytes,
    'manifest.json': JSON.stringify({ svc: { bundleSha256: PROGRAM, codeCache: 'none' } }),
    'proof.json': JSON.stringify({ profile: 'x', started: true, bundles: [], files }),
    'old.mjs': '',
  })
}

const bundles = (sha256: string, form = 'main'): Bundle[] => [{ target: { form }, sha256 }] as unknown as Bundle[]

test('an executable with the same program stays in the folder, with its row of the manifest', () => {
  const folder = delivered()
  const before = statSync(join(folder, EXECUTABLE)).ino
  const kept = keptExecutable(folder, bundles(PROGRAM))
  assert.equal(kept?.manifest, { bundleSha256: PROGRAM, codeCache: 'none' })
  replaceFolder(folder, { 'svc.mjs': 'new' }, (unfinished) => kept!.link(unfinished))
  assert.equal(readdirSync(folder).sort(), [EXECUTABLE, 'svc.mjs'].sort())
  assert.is(statSync(join(folder, EXECUTABLE)).ino, before)
  assert.is(readFileSync(join(folder, EXECUTABLE), 'utf8'), 'the executable')
})

test('an executable with another program, one that was changed, and one without a program beside it are not kept', () => {
  const folder = delivered()
  assert.is(keptExecutable(folder, bundles('b'.repeat(64))), undefined)
  assert.is(keptExecutable(folder, bundles(PROGRAM, 'library')), undefined)
  writeFileSync(join(folder, EXECUTABLE), 'the executabel')
  assert.is(keptExecutable(folder, bundles(PROGRAM)), undefined)
  assert.is(keptExecutable(folderWith(), bundles(PROGRAM)), undefined)
})

test.run()
