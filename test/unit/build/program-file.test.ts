/** A program in one file: what went in comes out, nothing else is taken for one, and it runs with its cache and without. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CodeCache, programIn, thisNode, toProgramFile, toScript } from '../../../scripts/build/program-file.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('program file')

const pieces = fc.constantFrom('*/', '/*', '*', '/', '*//*', '//', '{', '}', '\n', '`', '$', '\\', '"', "'", 'a', '});')
const text = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  fc.array(pieces).map((all) => all.join('')),
)
const caches = fc.option(fc.record({ by: fc.string(), base64: fc.base64String({ minLength: 4 }) }), { nil: undefined })

test('the program of a file is the one that it was made of, whatever stands in it', () => {
  fc.assert(fc.property(text, caches, (program, cache) => programIn(toProgramFile(program, cache)) === program))
})

test('a file with another byte before, in or behind what starts the program is none', () => {
  const file = toProgramFile('main()', { by: 'v1', base64: 'AAAA' })
  assert.is(programIn(file), 'main()')
  assert.is(programIn(''), undefined)
  for (let at = 0; at <= file.length; at++) {
    const found = programIn(`${file.slice(0, at)};${file.slice(at)}`)
    // What is added to the text of the program is another program, and what is added to its cache another cache.
    assert.ok(found === undefined || found !== 'main()' || isInCache(file, at), `${at}: ${found}`)
  }
})

function isInCache(file: string, at: number): boolean {
  const by = file.indexOf('"v1"')
  return Math.abs(at - file.indexOf('AAAA')) <= 4 || (at > by && at <= by + 3)
}

const program = `"use strict"
const say = (word) => console.log(word, typeof svcCodeCache === 'undefined' ? 'none' : svcCodeCache, /a*/.test('*/'), typeof this)
import("node:path").then(({ sep }) => say(require('node:path').sep === sep))`

/** The cache of a script, made as a build makes it. */
function cacheOf(script: string): Buffer {
  return new Script(script, { filename: 'svc.cjs' }).createCachedData()
}

async function run(cache: CodeCache | undefined, ...flags: string[]): Promise<string> {
  const folder = folderWith({ 'svc.mjs': '' })
  writeFileSync(join(folder, 'svc.mjs'), toProgramFile(program, cache))
  const child = startChild(process.execPath, { args: [...flags, 'svc.mjs'], cwd: folder })
  const { code } = await child.exited
  assert.is(code, 0, child.err)
  assert.is(child.err, '')
  return child.out
}

test('it runs with a cache that this Node made, and V8 takes it', async () => {
  const base64 = cacheOf(toScript(program)).toString('base64')
  assert.is(await run({ by: thisNode, base64 }), 'true used true undefined\n')
})

test('it runs the same without a cache, with one of another Node, and with one that V8 refuses', async () => {
  const base64 = cacheOf(toScript(program)).toString('base64')
  assert.is(await run(undefined), 'true none true undefined\n')
  assert.is(await run({ by: 'v1.2.3,linux,x64', base64 }), 'true rejected true undefined\n')
  assert.is(await run({ by: thisNode, base64: 'AAAA' }), 'true rejected true undefined\n')
  assert.is(
    await run({ by: thisNode, base64: cacheOf(`${program} `).toString('base64') }),
    'true rejected true undefined\n',
  )
  // V8 takes compiled code under the flags alone that it was made with.
  assert.is(await run({ by: thisNode, base64 }, '--no-opt'), 'true rejected true undefined\n')
})

test.run()
