import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Case, defineContract } from '../../../core/contract.ts'

const test = suite('core: contracts')
const steps = async (): Promise<void> => undefined
const send = { path: '/x' }
const expect = { status: 200 }

test('a case is a request with its expectation, or steps', () => {
  const contract = { present: [{ name: 'a', send, expect }], absent: [{ name: 'b', steps }] }
  assert.is(defineContract(contract), contract)
})

test('a case that would check nothing is refused, on both sides', () => {
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

test.run()
