/** The list at the end of each page: the words of the glossary that the page uses. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

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
/** The pages that have the list. */
export const pagesWithWords: readonly string[] = globSync('docs/*.md', { cwd: root })
  .filter((page) => !without.includes(page))
  .sort()

/** The words that the glossary explains. */
export const glossaryWords: readonly string[] = [
  ...readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(/^### (.+)$/gm),
].map(([, word]) => word!)

/** Whether a text contains a word, in lower case (Node is not a node, HEAD is not a head), singular or plural. */
function isUsed(word: string, text: string): boolean {
  const name = word === 'KBD' ? word : word.toLowerCase()
  return new RegExp(`\\b${name.replace(/y$/, '(?:y|ie)')}(?:s|es)?\\b`).test(text)
}

function anchor(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-')
}

const BEGIN = '<!-- words: generated, make renew writes them -->'

/** The page with the list of its words as the last line. */
export function withWords(page: string): string {
  const text = page.split('\n<!-- words: ')[0]!.trimEnd()
  const prose = text.replace(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '').replace(/`[^`]*`/g, '')
  const used = glossaryWords.filter((word) => isUsed(word, prose)).sort((a, b) => a.localeCompare(b, 'en'))
  const links = used.map((word) => `[${word.toLowerCase().replace('kbd', 'KBD')}](glossary.md#${anchor(word)})`)
  return `${text}\n\n${BEGIN}\nWords: ${links.join(' · ')}\n`
}
