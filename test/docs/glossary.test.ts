/** The glossary: each place that it names is there, and each page ends with the words that it uses. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'

const test = suite('docs: glossary')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const glossary = read('docs/glossary.md')
const words = [...glossary.matchAll(/^### (.+)$/gm)].map(([, word]) => word!)

/** The index, generated pages, one of figures, and the list of principles. */
const without = [
  'docs/README.md',
  'docs/glossary.md',
  'docs/settings.md',
  'docs/capabilities.md',
  'docs/benchmarks.md',
  'docs/decisions.md',
]
const pages = globSync('docs/*.md', { cwd: root }).filter((page) => !without.includes(page))

test('it has thirty words or more, each with where it is decided or a page', () => {
  assert.ok(words.length >= 30, `${words.length}`)
  const places = [...glossary.matchAll(/`((?:core|plugins|profiles|scripts)\/[^`]+)`/g)].map(([, place]) => place!)
  assert.ok(places.length >= 30)
  for (const place of places) {
    const pattern = place.replace('<family>', '*').replace('<feature>', '*')
    assert.ok(existsSync(join(root, place)) || globSync(pattern, { cwd: root }).length > 0, place)
  }
})

/** In small letters, because Node is not a node, nor HEAD a head; in the plural too. */
function isUsed(word: string, text: string): boolean {
  const name = word === 'KBD' ? word : word.toLowerCase()
  return new RegExp(`\\b${name.replace(/y$/, '(?:y|ie)')}(?:s|es)?\\b`).test(text)
}

function anchor(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-')
}

const BEGIN = '<!-- words: generated, SVC_UPDATE=1 test/docs/glossary.test.ts renews them -->'

/** The page with the line of its words at the end. */
function withWords(page: string): string {
  const text = page.split(`\n${BEGIN}`)[0]!.trimEnd()
  const prose = text.replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '').replace(/`[^`]*`/g, '')
  const used = words.filter((word) => isUsed(word, prose)).sort((a, b) => a.localeCompare(b, 'en'))
  const links = used.map((word) => `[${word.toLowerCase().replace('kbd', 'KBD')}](glossary.md#${anchor(word)})`)
  return `${text}\n\n${BEGIN}\nWords: ${links.join(' · ')}\n`
}

for (const page of pages) {
  test(`${page} ends with its words`, () => {
    const text = read(page)
    const fresh = withWords(text)
    if (process.env['SVC_UPDATE'] === '1') writeFileSync(join(root, page), fresh)
    else assert.ok(text === fresh, `${page} is stale: run this test with SVC_UPDATE=1`)
    assert.match(fresh, /^Words: \[/m)
  })
}

test.run()
