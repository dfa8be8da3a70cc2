/** JSON Patch in the page of the console: the examples of RFC 6902, appendix A. The input never changes. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { applyPatch, type PatchOperation } from '../../../plugins/console/page/lib/json-patch.ts'

const test = suite('console json patch')

const examples: readonly (readonly [string, unknown, readonly PatchOperation[], unknown])[] = [
  ['A.1 adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
  [
    'A.2 adds an element',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  ['A.3 removes a member', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  [
    'A.4 removes an element',
    { foo: ['bar', 'qux', 'baz'] },
    [{ op: 'remove', path: '/foo/1' }],
    { foo: ['bar', 'baz'] },
  ],
  ['A.5 replaces', { baz: 'qux' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo' }],
  [
    'A.6 moves a member',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7 moves an element',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  ['A.14 escapes', { '/': 9, '~1': 10 }, [{ op: 'replace', path: '/~01', value: 11 }], { '/': 9, '~1': 11 }],
  ['A.16 adds an array', { foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
  ['the whole document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
  ['copies', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
]

for (const [name, before, operations, after] of examples) {
  test(name, () => {
    const copy = structuredClone(before)
    assert.equal(applyPatch(before, operations), after)
    assert.equal(before, copy, 'the input is unchanged')
  })
}

test('unchanged parts of a document stay the same objects', () => {
  const before = { a: { b: 1 }, c: [1, 2] }
  const after = applyPatch(before, [{ op: 'replace', path: '/a/b', value: 2 }]) as typeof before
  assert.is(after.c, before.c)
})

test('an operation that does not apply is refused', () => {
  for (const path of ['/b', '/a/5', '/a/b/c'])
    assert.throws(() => applyPatch({ a: [1] }, [{ op: 'replace', path, value: 1 }]), /There is nothing|behind/)
  assert.throws(() => applyPatch({ a: [1] }, [{ op: 'add', path: '/a/3', value: 1 }]), /after the end/)
})

test('a member called __proto__ is a member', () => {
  const after = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]) as object
  assert.ok(Object.hasOwn(after, '__proto__'))
  assert.is(({} as { polluted?: boolean }).polluted, undefined)
})

test.run()
