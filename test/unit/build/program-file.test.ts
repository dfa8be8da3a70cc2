/** A program in one file: its text is read back unchanged, other files are not accepted as programs, and it runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { programIn, toProgramFile } from '../../../scripts/build/generate/program-file.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('program file')

test('the program that is read from a file is the one that was written, whatever its text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (program) => programIn(toProgramFile(program)) === program))
})

test('a file with a changed byte in its start code is not a program file', () => {
  const file = toProgramFile('main()')
  assert.is(programIn(''), undefined)
  for (let at = 0; at <= file.length; at++) {
    const found = programIn(`${file.slice(0, at)};${file.slice(at)}`)
    // A byte that is added to the text of the program gives another program.
    assert.ok(found === undefined || found !== 'main()', `${at}: ${found}`)
  }
})

test('a program file runs as a module, with require and import, and without a code cache', async () => {
  const program = `"use strict"
const say = (word) => console.log(word, typeof svcCodeCache, typeof this)
import("node:path").then(({ sep }) => say(require('node:path').sep === sep))`
  const folder = folderWith({ 'svc.mjs': '' })
  writeFileSync(join(folder, 'svc.mjs'), toProgramFile(program))
  const child = startChild(process.execPath, { args: ['svc.mjs'], cwd: folder })
  const { code } = await child.exited
  assert.equal([code, child.out, child.err], [0, 'true undefined undefined\n', ''])
})

test.run()
