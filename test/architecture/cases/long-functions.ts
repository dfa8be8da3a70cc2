/**
 * A function has at most 80 lines, so that a reader sees all of it. Split a closure that holds a family of functions
 * into files.
 */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { longFunctions } from '../long-functions.ts'
import { textsOf } from '../sources.ts'

export const test: Test = suite('long functions')

const MOST_LINES = 80

/** Functions that may be longer, by folder and name, each with its reason. At most ten. */
const excepted: Readonly<Record<string, string>> = {
  'plugins/realtime applyPatch':
    'the steps of a patch share what they count and undo; as separate functions they exceed the size limit of the minimal library',
}

test('no function is longer, except the listed ones', () => {
  const texts = textsOf('{core,plugins,profiles,scripts}/**/*.ts')
  assert.ok(texts.size > 500)
  const refused = [...texts]
    .flatMap(([file, text]) => longFunctions(file, text, MOST_LINES))
    .filter(({ file, name }) => {
      const family = file.split('/').slice(0, 2).join('/')
      return excepted[`${family} ${name}`] === undefined
    })
  assert.equal(
    refused.map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`),
    [],
  )
  assert.ok(Object.keys(excepted).length <= 10)
})

test('functions of every kind are found, and the lines of inner functions count for the outer one', () => {
  const body = `{\n${'  work()\n'.repeat(3)}}`
  const text = [
    `function one() ${body}`,
    `const two = () => ${body}`,
    `const three = { four() ${body} }`,
    `class A {\n  #five() ${body}\n}`,
    'const six = () => 6',
  ].join('\n')
  const names = (most: number): string[] => longFunctions('a.ts', text, most).map(({ name }) => name)
  assert.equal(names(4), ['one', 'two', 'four', '#five'])
  assert.equal(names(5), [])
  assert.equal(
    longFunctions('a.ts', `function outer() {\n  const inner = () => ${body}\n}`, 4).map(({ name, lines }) => [
      name,
      lines,
    ]),
    [
      ['outer', 7],
      ['inner', 5],
    ],
  )
})
