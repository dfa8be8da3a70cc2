/** No file imports itself, directly or through other files. Type-only imports count too. */
import { fileURLToPath } from 'node:url'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Edge, readGraph } from '../import-graph.ts'
import { textsOf } from '../sources.ts'

export const test: Test = suite('import cycles')

/** The shortest import cycle through each file that `starts` accepts, as a line of text. */
function cycles(edges: readonly Edge[], starts: (file: string) => boolean): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  return [...next.keys()].filter(starts).flatMap((start) => {
    const previous = new Map<string, string>()
    const queue = [start]
    for (const file of queue) {
      for (const to of next.get(file) ?? []) {
        if (to === start) {
          const path = [file, start]
          while (path[0] !== start) path.unshift(previous.get(path[0]!)!)
          return [path.join(' → ')]
        }
        if (!previous.has(to)) queue.push(to)
        if (!previous.has(to)) previous.set(to, file)
      }
    }
    return []
  })
}

const shipped = (file: string): boolean => /^(?:core|plugins|profiles|scripts)\//.test(file)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const edges = [...readGraph(root), ...readGraph(root, 'tsx')]
const edge = (from: string, to: string): Edge => ({ from, to, typeOnly: true })

test('no file imports itself, directly or through other files', () => {
  assert.ok(edges.filter(({ to }) => shipped(to)).length > 500)
  assert.ok(edges.some(({ from, to }) => from.endsWith('.tsx') && to.endsWith('.tsx')))
  assert.equal(cycles(edges, shipped), [])
})

test('an import cycle of any length is found and printed', () => {
  const found = cycles(
    [
      edge('plugins/a/api.ts', 'plugins/a/x.ts'),
      edge('plugins/a/x.ts', 'core/y.ts'),
      edge('core/y.ts', 'plugins/a/api.ts'),
    ],
    (file) => file.endsWith('api.ts'),
  )
  assert.equal(found, ['plugins/a/api.ts → plugins/a/x.ts → core/y.ts → plugins/a/api.ts'])
  assert.equal(cycles([edge('plugins/a/api.ts', 'plugins/a/x.ts'), edge('plugins/a/x.ts', 'core/y.ts')], shipped), [])
})

test('only capabilities.ts files extend Capabilities, and no api.ts exports a class', () => {
  for (const [file, text] of textsOf('plugins/**/*.ts'))
    assert.is(/interface Capabilities\b/.test(text), file.endsWith('/capabilities.ts'), file)
  const apis = textsOf('plugins/**/api.ts')
  assert.ok(apis.size > 5)
  for (const text of apis.values()) assert.not.match(text, /^(?:export )?(?:declare )?(?:abstract )?class /m)
})
