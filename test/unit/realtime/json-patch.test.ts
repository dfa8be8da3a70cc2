import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { copyLarge } from '../../../plugins/realtime/runs/patch/copy-container.ts'
import { applyPatch, type PatchOperation } from '../../../plugins/realtime/runs/patch/json-patch.ts'
import { LimitError, type PatchScope } from '../../../plugins/realtime/runs/patch/patch-scope.ts'
import { runs } from '../../fuzz/runs.ts'
import { naivePatch, patches, smallJson } from './naive-patch.ts'

function scope(given: Partial<PatchScope> = {}): PatchScope {
  return { owned: new WeakSet(), work: Number.POSITIVE_INFINITY, maxGrowth: Number.POSITIVE_INFINITY, ...given }
}

function limitOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof LimitError) return error.kind
    throw error
  }
  return undefined
}

test('a sequence of patches gives the same as a naive reference, can be undone, and never changes its input', () => {
  fc.assert(
    fc.property(smallJson, fc.array(patches, { maxLength: 6 }), (document, sequence) => {
      const given = JSON.stringify([document, sequence])
      const holder = { value: document }
      const shared = scope()
      let expected: unknown = document
      for (const patch of sequence) {
        const before = JSON.stringify(holder.value)
        const naive = naivePatch(expected, patch)
        const first = applyPatch(holder, 'value', patch, shared)
        assert.is(first === undefined, naive === undefined)
        if (first === undefined) {
          deepStrictEqual(holder.value, JSON.parse(before))
          continue
        }
        first.undo()
        deepStrictEqual(holder.value, JSON.parse(before))
        applyPatch(holder, 'value', patch, shared)
        expected = naive!.value
        deepStrictEqual(holder.value, expected)
      }
      assert.is(JSON.stringify([document, sequence]), given)
    }),
    runs(),
  )
})

test('a patch on a wide container copies it once, and the next one not at all', () => {
  const wide: Record<string, number> = {}
  for (let i = 0; i < 80_000; i++) wide[`member${i}`] = i
  const holder = { value: wide as unknown }
  const patch = (from: number): PatchOperation[] =>
    Array.from({ length: 300 }, (_, i) => ({ op: 'replace', path: `/member${from + i}`, value: 0 }))
  const first = scope({ work: 80_000 })
  assert.ok(applyPatch(holder, 'value', patch(0), first))
  assert.is(first.work, 0)
  // No work is left in the budget, and the second patch needs none.
  assert.ok(applyPatch(holder, 'value', patch(300), first))
  assert.is(wide['member0'], 0 + 0)
  assert.is(wide['member1'], 1)
  assert.is((holder.value as typeof wide)['member1'], 0)
})

test('a copy costs only what it copies, and other containers are not copied again', () => {
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, i]))
  const holder = { value: { wide, small: { in: { n: 1 } } } as unknown }
  const shared = scope({ work: 11_000 })
  const copies: PatchOperation[] = Array.from({ length: 500 }, (_, i) => [
    { op: 'copy', from: '/wide/m1', path: '/wide/m2' },
    { op: 'copy', from: '/small', path: `/copy${i % 2}` },
    { op: 'replace', path: '/small/in/n', value: i },
  ]).flat()
  assert.ok(applyPatch(holder, 'value', copies, scope({ work: 20_000 })))
  assert.ok(applyPatch(holder, 'value', copies.slice(0, 3), shared))
  assert.equal(Object.keys(holder.value as object), ['wide', 'small', 'copy0', 'copy1'])
  assert.equal((holder.value as Record<string, unknown>)['copy0'], { in: { n: 499 } })
})

test('a member that is undefined is not copied: no reader has it', () => {
  const holder = { value: { a: undefined } as unknown }
  assert.is(applyPatch(holder, 'value', [{ op: 'copy', from: '/a', path: '/b' }], scope()), undefined)
  assert.equal(holder.value, { a: undefined })
})

test('each patch that does not apply pays for its own copies', () => {
  const holder = { value: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, i])) as unknown }
  const wrong: PatchOperation[] = [
    { op: 'add', path: '/x', value: 1 },
    { op: 'test', path: '/x', value: 2 },
  ]
  const shared = scope({ work: 100_000 })
  let tries = 0
  while (limitOf(() => assert.is(applyPatch(holder, 'value', wrong, shared), undefined)) === undefined) tries++
  assert.is(tries, 3)
  assert.is(Object.keys(holder.value as object).length, 10_000)
})

test('a patch that grows, nests, shifts or compares too much is refused, and has no effect', () => {
  const copies: PatchOperation[] = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '', path: `/x${i}` }))
  const holder = { value: { a: 'x'.repeat(100), x: null } as unknown }
  assert.is(
    limitOf(() => applyPatch(holder, 'value', copies, scope({ maxGrowth: 1_000_000 }))),
    'size',
  )
  assert.equal(holder.value, { a: 'x'.repeat(100), x: null })

  const nest: PatchOperation[] = Array.from({ length: 600 }, (_, i) => ({
    op: 'add',
    path: '/x'.repeat(i + 1),
    value: {},
  }))
  assert.is(
    limitOf(() => applyPatch(holder, 'value', nest, scope({ maxGrowth: 1_000_000 }))),
    'size',
  )
  const deeper: PatchOperation[] = [
    { op: 'add', path: '/deep', value: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) },
    { op: 'add', path: '/in', value: { side: {} } },
    ...Array.from({ length: 20 }, (_, i) => ({ op: 'add', path: `/in/side${'/x'.repeat(i + 1)}`, value: {} })),
    { op: 'move', from: '/deep', path: `/in/side${'/x'.repeat(20)}/y` },
  ]
  assert.is(
    limitOf(() => applyPatch(holder, 'value', deeper, scope({ maxGrowth: 1_000_000 }))),
    'size',
  )
  assert.equal(holder.value, { a: 'x'.repeat(100), x: null })

  const list = { value: Array.from({ length: 100_000 }, () => 0) as unknown }
  const shifts: PatchOperation[] = Array.from({ length: 1_000 }, () => ({ op: 'add', path: '/0', value: 1 }))
  assert.is(
    limitOf(() => applyPatch(list, 'value', shifts, scope({ work: 100_000 }))),
    'work',
  )
  assert.is((list.value as unknown[]).length, 100_000)
  assert.is((list.value as unknown[])[0], 0)

  const wide = { value: { o: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])) } as unknown }
  const looks: PatchOperation[] = Array.from({ length: 1_000 }, () => ({ op: 'test', path: '/o', value: {} }))
  assert.is(applyPatch(wide, 'value', looks.slice(0, 1), scope()), undefined)
  assert.is(
    limitOf(() => applyPatch(wide, 'value', [{ op: 'test', path: '/o', value: {} }], scope({ work: 9_999 }))),
    'work',
  )
})

test('large containers, and those around them, are copied with pauses, and patches change only the copies', () => {
  const many = (count: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, { n }]))
  const large = many(5_000)
  Object.defineProperty(large, '__proto__', { value: 'own', enumerable: true, writable: true, configurable: true })
  const state = { deep: [{ large }], list: Array.from({ length: 3_000 }, (_, n) => n), small: { a: [1] } }
  const before = JSON.stringify(state)
  const owned = new WeakSet<object>()
  const steps = copyLarge(state, owned)
  let pauses = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) pauses++
  const copy = step.value as typeof state
  assert.is(JSON.stringify(copy), before)
  assert.ok(pauses >= 7, `${pauses}`)
  for (const container of [copy, copy.deep, copy.deep[0]!, copy.deep[0]!.large, copy.list])
    assert.ok(owned.has(container))
  assert.is(copy.small, state.small, 'what is small is shared')
  const holder = { copy }
  const patch = [{ op: 'replace', path: '/deep/0/large/m7', value: 'changed' }]
  assert.ok(applyPatch(holder, 'copy', patch, { owned, work: 0, maxGrowth: 1_000 }) !== undefined, 'nothing is copied')
  assert.is(holder.copy.deep[0]!.large['m7'], 'changed')
  assert.is(JSON.stringify(state), before)
})

test.run()
