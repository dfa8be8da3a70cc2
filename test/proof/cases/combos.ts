/** Every two features that may be combined are in some set together, and every such set is bundled and proven. */
import { type Test as Suite, suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tool } from '../../../scripts/toolkit/commands/combos.ts'
import type { ToolIo } from '../../../scripts/toolkit/tool.ts'

/** The suite. A test file runs it. */
export const test: Suite = suite('combinations of features')

interface Result {
  readonly tuples: number
  readonly sets: number
  readonly results: readonly {
    readonly set: number
    readonly controlled: readonly string[]
    readonly problems: readonly string[]
  }[]
}

test('the sets that cover all pairs are proven, with the control of each feature', async () => {
  const lines: string[] = []
  const io: ToolIo = {
    json: false,
    color: false,
    out: (line) => void lines.push(line),
    note: () => undefined,
    step: () => undefined,
  }
  const { json, code } = await tool.run({
    words: [],
    flag: (name) => name === 'pairwise',
    value: () => undefined,
    values: () => [],
    io,
  })
  const { tuples, sets, results } = json as Result
  assert.is(code, 0, lines.join('\n'))
  assert.ok(tuples > 1_000, String(tuples))
  assert.equal(
    results.map(({ set }) => set),
    Array.from({ length: sets }, (_, index) => index + 1),
  )
  assert.ok(results.flatMap(({ controlled }) => controlled).length > 30)
  assert.match(lines.at(-1)!, new RegExp(`^${tuples} pairs in ${sets} sets: all proven$`))
})
