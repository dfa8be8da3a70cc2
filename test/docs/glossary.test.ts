/** Each path that the glossary names exists, and each page ends with the list of the glossary's words that it uses. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'

const test = suite('docs: glossary')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const glossary = read('docs/glossary.md')
const words = [...glossary.matchAll(/^### (.+)$/gm)].map(([, word]) => word!)

/**
 * Pages without a list of words: the index, the glossary, generated pages, the page of figures, and the list of
 * principles.
 */
const without = [
  'docs/README.md',
  'docs/glossary.md',
  'docs/settings.md',
  'docs/capabilities.md',
  'docs/benchmarks.md',
  'docs/decisions.md',
]
const pages = globSync('docs/*.md', { cwd: root }).filter((page) => !without.includes(page))

test('the glossary has thirty words or more, and the paths that it names exist', () => {
  assert.ok(words.length >= 30, `${words.length}`)
  const places = [...glossary.matchAll(/`((?:core|plugins|profiles|scripts)\/[^`]+)`/g)].map(([, place]) => place!)
  assert.ok(places.length >= 30)
  for (const place of places) {
    const pattern = place.replace('<family>', '*').replace('<feature>', '*')
    assert.ok(existsSync(join(root, place)) || globSync(pattern, { cwd: root }).length > 0, place)
  }
})

/** Whether a text contains a word, in lower case (Node is not a node, HEAD is not a head), singular or plural. */
function isUsed(word: string, text: string): boolean {
  const name = word === 'KBD' ? word : word.toLowerCase()
  return new RegExp(`\\b${name.replace(/y$/, '(?:y|ie)')}(?:s|es)?\\b`).test(text)
}

function anchor(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-')
}

const BEGIN = '<!-- words: generated, SVC_UPDATE=1 test/docs/glossary.test.ts renews them -->'

/** The page with the list of its words as the last line. */
function withWords(page: string): string {
  const text = page.split(`\n${BEGIN}`)[0]!.trimEnd()
  const prose = text.replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '').replace(/`[^`]*`/g, '')
  const used = words.filter((word) => isUsed(word, prose)).sort((a, b) => a.localeCompare(b, 'en'))
  const links = used.map((word) => `[${word.toLowerCase().replace('kbd', 'KBD')}](glossary.md#${anchor(word)})`)
  return `${text}\n\n${BEGIN}\nWords: ${links.join(' · ')}\n`
}

for (const page of pages) {
  test(`${page} ends with the list of its words`, () => {
    const text = read(page)
    const fresh = withWords(text)
    if (process.env['SVC_UPDATE'] === '1') writeFileSync(join(root, page), fresh)
    else assert.ok(text === fresh, `${page} is stale: run this test with SVC_UPDATE=1`)
    assert.match(fresh, /^Words: \[/m)
  })
}

test.run()
