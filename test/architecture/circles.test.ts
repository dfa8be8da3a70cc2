/** Imports lead one way: no file, in whatever steps and be it for types alone, imports itself. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Edge, readGraph } from './import-graph.ts'

/** The shortest circle through each file that `starts` names, as a line. */
function circles(edges: readonly Edge[], starts: (file: string) => boolean): string[] {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  return [...next.keys()].filter(starts).flatMap((start) => {
    const before = new Map<string, string>()
    const queue = [start]
    for (const file of queue) {
      for (const to of next.get(file) ?? []) {
        if (to === start) {
          const way = [file, start]
          while (way[0] !== start) way.unshift(before.get(way[0]!)!)
          return [way.join(' → ')]
        }
        if (!before.has(to)) queue.push(to)
        if (!before.has(to)) before.set(to, file)
      }
    }
    return []
  })
}

const shipped = (file: string): boolean => /^(?:core|plugins|profiles|scripts)\//.test(file)
const root = fileURLToPath(new URL('../..', import.meta.url))
const edges = readGraph(root)
const edge = (from: string, to: string): Edge => ({ from, to, typeOnly: true })

test('no import leads back to the file that it began in', () => {
  assert.ok(edges.filter(({ to }) => shipped(to)).length > 500)
  assert.equal(circles(edges, shipped), [])
})

test('a circle is found, however long, and named', () => {
  const found = circles(
    [
      edge('plugins/a/api.ts', 'plugins/a/x.ts'),
      edge('plugins/a/x.ts', 'core/y.ts'),
      edge('core/y.ts', 'plugins/a/api.ts'),
    ],
    (file) => file.endsWith('api.ts'),
  )
  assert.equal(found, ['plugins/a/api.ts → plugins/a/x.ts → core/y.ts → plugins/a/api.ts'])
  assert.equal(circles([edge('plugins/a/api.ts', 'plugins/a/x.ts'), edge('plugins/a/x.ts', 'core/y.ts')], shipped), [])
})

test('additions to the capabilities stand in capabilities.ts alone, and an api.ts publishes no class', () => {
  const files = globSync('plugins/**/*.ts', { cwd: root })
  for (const file of files) {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    assert.is(/interface Capabilities\b/.test(text), file.endsWith('/capabilities.ts'), file)
  }
  const texts = files.filter((file) => file.endsWith('/api.ts')).map((file) => readFileSync(`${root}/${file}`, 'utf8'))
  assert.ok(texts.length > 5)
  for (const text of texts) assert.not.match(text, /^(?:export )?(?:declare )?(?:abstract )?class /m)
})

test.run()
