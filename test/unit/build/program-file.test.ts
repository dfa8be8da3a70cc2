/** A program in one file: what went in comes out, nothing else is taken for one, and it runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { programIn, toProgramFile } from '../../../scripts/build/generate/program-file.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('program file')

test('the program of a file is the one that it was made of, whatever stands in it', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (program) => programIn(toProgramFile(program)) === program))
})

test('a file with another byte in what starts the program is none', () => {
  const file = toProgramFile('main()')
  assert.is(programIn(''), undefined)
  for (let at = 0; at <= file.length; at++) {
    const found = programIn(`${file.slice(0, at)};${file.slice(at)}`)
    // What is added to the text of the program is another program.
    assert.ok(found === undefined || found !== 'main()', `${at}: ${found}`)
  }
})

test('it runs as a module: with require, with import, and without a code cache', async () => {
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
