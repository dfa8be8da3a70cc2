/** Each path that the glossary names exists. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { glossaryWords } from '../../scripts/renew/glossary-words.ts'

const test = suite('docs: glossary')

test('the glossary has thirty words or more, and the paths that it names exist', () => {
  assert.ok(glossaryWords.length >= 30, `${glossaryWords.length}`)
  const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  const places = [...glossary.matchAll(/`((?:core|plugins|profiles|scripts)\/[^`]+)`/g)].map(([, place]) => place!)
  assert.ok(places.length >= 30)
  for (const place of places) {
    const pattern = place.replace('<family>', '*').replace('<feature>', '*')
    assert.ok(existsSync(join(root, place)) || globSync(pattern, { cwd: root }).length > 0, place)
  }
})

test.run()
