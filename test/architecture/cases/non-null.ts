/** Non-null assertions (`x!`) are rare in plugins, because the compiler does not check them. */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { TS } from '../../../scripts/build/typescript.ts'
import { nodesOf, textsOf } from '../sources.ts'

export const test: Test = suite('non-null assertions')

/** The most non-null assertions that plugins/ may have. Lower the number when you remove some. */
const MOST = 85

/** The non-null assertions of a text. */
function assertionsIn(text: string, file: string): number {
  return nodesOf(file, text).filter((node) => TS.isNonNullExpression(node)).length
}

test('plugins have no more non-null assertions than the recorded number', () => {
  const texts = textsOf('plugins/**/*.{ts,tsx}')
  assert.ok(texts.size > 500)
  const counts = [...texts].map(([file, text]) => ({ file, count: assertionsIn(text, file) }))
  const sum = counts.reduce((total, { count }) => total + count, 0)
  const most = counts.toSorted((a, b) => b.count - a.count).slice(0, 5)
  assert.ok(sum <= MOST, `${sum} of at most ${MOST}; most in ${most.map(({ file, count }) => `${file} (${count})`)}`)
})

test('every non-null assertion is counted, and nothing else', () => {
  assert.is(assertionsIn('a!; b![0]!.c; (d as E)!', 'x.ts'), 4)
  assert.is(assertionsIn("!a; a != b; a !== b; '!'; let c!: D", 'x.ts'), 0)
  assert.is(assertionsIn('const a = <b c={d!} />', 'x.tsx'), 1)
})
