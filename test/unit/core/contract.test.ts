import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Case, casesOn, defineContract, kindOf } from '../../../core/testing/contract.ts'
import { matrix } from '../../../profiles/matrix.ts'
import { openPaths } from '../../support/kernels.ts'

const test = suite('core: contracts')
const steps = async (): Promise<void> => undefined
const send = { path: '/x' }
const expect = { status: 200 }

test('a case is a request with its expectation, or steps', () => {
  const contract = { present: [{ name: 'a', send, expect }], absent: [{ name: 'b', steps }] }
  assert.is(defineContract(contract), contract)
})

test('a case without checks is refused, on both sides', () => {
  const idle: Case[] = [
    { name: 'idle' },
    { name: 'idle', send },
    { name: 'idle', expect },
    { name: 'idle', send, expect, steps },
    { name: 'idle', expect, steps },
    { name: 'idle', send, steps },
  ]
  for (const one of idle) {
    assert.throws(() => defineContract({ present: [one], absent: [] }), /"idle"/)
    assert.throws(() => defineContract({ present: [], absent: [one] }), /"idle"/)
  }
})

test('each kind has its forms', () => {
  const kinds: [Case, string][] = [
    [{ name: 'a', send, expect }, 'http'],
    [{ name: 'a', surface: 'local', given: {}, needs: [], steps }, 'http'],
    [{ name: 'a', command: [], exits: { code: 0 } }, 'command'],
    [{ name: 'a', command: [], exits: 'missing' }, 'command'],
    [{ name: 'a', dialogue: steps }, 'command'],
    [{ name: 'a', call: 'f', gives: 1 }, 'call'],
    [{ name: 'a', call: 'f', with: [], gives: null }, 'call'],
    [{ name: 'a', call: 'f', with: [1], throws: { code: 'x' } }, 'call'],
    [{ name: 'a', call: 'f', missing: true }, 'call'],
    [{ name: 'a', use: steps }, 'call'],
  ]
  for (const [one, kind] of kinds) assert.is(kindOf(one), kind, JSON.stringify(one))
  defineContract({ present: kinds.map(([one]) => one), absent: [] })
})

test('a case of two kinds or of an incomplete kind is refused', () => {
  const wrong: Case[] = [
    { name: 'wrong', command: [] },
    { name: 'wrong', exits: { code: 0 } },
    { name: 'wrong', call: 'f' },
    { name: 'wrong', call: 'f', with: [] },
    { name: 'wrong', call: 'f', gives: undefined },
    { name: 'wrong', call: 'f', gives: 1, throws: { code: 'x' } },
    { name: 'wrong', call: 'f', missing: true, with: [] },
    { name: 'wrong', send, expect, command: [], exits: { code: 0 } } as Case,
    { name: 'wrong', steps, use: steps } as Case,
  ]
  for (const one of wrong) assert.throws(() => defineContract({ present: [one], absent: [] }), /"wrong"/)
})

test('a side without cases must have a reason', () => {
  const contract = { present: [{ name: 'a', send, expect }], absent: { none: 'nothing is seen of it' } }
  assert.is(defineContract(contract), contract)
  assert.equal(casesOn(contract.absent), [])
  assert.is(casesOn(contract.present).length, 1)
  assert.throws(() => defineContract({ present: [], absent: { none: ' ' } }), /says why/)
})

test('every feature of the matrix has cases or a reason on both sides', () => {
  for (const [id, { contract }] of Object.entries(matrix))
    for (const side of [contract.present, contract.absent])
      assert.ok('none' in side || side.length > 0, `a side of ${id} is empty and gives no reason`)
})

test('kernels of tests have the open paths of the matrix', () => {
  assert.equal(
    openPaths,
    Object.values(matrix).flatMap(({ open = [] }) => open),
  )
})

test.run()
