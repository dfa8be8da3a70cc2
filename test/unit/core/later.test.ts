/** Parts that are loaded at their first use. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { later } from '../../../core/kernel/later.ts'
import { rejection } from '../../support/throws.ts'

test('a part is loaded once for all concurrent callers, and is then available synchronously', async () => {
  let loads = 0
  const part = later(async () => ({ number: ++loads }))
  assert.is(loads, 0, 'not before it is needed')
  const [one, other] = await Promise.all([part(), part()])
  assert.is(one, other)
  assert.is(part(), one, 'no promise')
  assert.is(loads, 1)
})

test('a part that could not be loaded gives an error with a hint, and is loaded again at the next use', async () => {
  let there = false
  const part = later(async () => {
    if (!there) throw new Error('no such file')
    return { there }
  })
  const { message } = await rejection('ERR_PART_UNAVAILABLE', Promise.resolve(part()))
  assert.match(message, 'no such file')
  assert.match(message, 'svc/minimal/single')
  there = true
  assert.equal(await part(), { there: true })
})

test.run()
