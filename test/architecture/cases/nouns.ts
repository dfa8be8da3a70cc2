/** Variables are named by nouns: a bare participle says what happened to a thing, and not what it is. */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { TS } from '../../../scripts/build/typescript.ts'
import { nodesOf, textsOf, treeOf } from '../sources.ts'

export const test: Test = suite('nouns')

const PARTICIPLES: ReadonlySet<string> = new Set(['found', 'known', 'own', 'kept', 'given'])

/** The variables and parameters of a source that are named by a participle, with their lines. */
function participlesIn(file: string, text: string): string[] {
  const source = treeOf(file, text)
  const names: string[] = []
  for (const node of nodesOf(file, text)) {
    if (
      (TS.isVariableDeclaration(node) || TS.isParameter(node)) &&
      TS.isIdentifier(node.name) &&
      PARTICIPLES.has(node.name.text)
    )
      names.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.name.text}`)
  }
  return names
}

test('no variable and no parameter is named by a bare participle', () => {
  const texts = [...textsOf('{core,plugins,profiles,scripts}/**/*.{ts,tsx}')]
  assert.ok(texts.length > 1_000)
  assert.equal(
    texts.flatMap(([file, text]) => participlesIn(file, text)),
    [],
  )
})

test('a participle is found, and one inside of a name is none', () => {
  const text = 'const known = new Map()\nconst knownPeers = (given: number) => given\n'
  assert.equal(participlesIn('a.ts', text), ['a.ts:1 known', 'a.ts:2 given'])
})
