import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defineErrors, isSvcError, SvcError } from '../../../core/declare/errors.ts'

const test = suite('core: errors')

const fail = defineErrors({
  gone: { status: 410, message: 'It is gone.', hint: 'Look elsewhere.', headers: { 'retry-after': '1', 'x-a': 'a' } },
  inner: { message: 'Something inside.' },
})

test('an error has the members of its row', () => {
  const error = fail('gone')
  assert.instance(error, SvcError)
  assert.instance(error, Error)
  assert.is(error.name, 'SvcError')
  assert.is(error.code, 'gone')
  assert.is(error.status, 410)
  assert.is(error.message, 'It is gone.')
  assert.is(error.hint, 'Look elsewhere.')
  assert.not.ok('cause' in error)
})

test('an occurrence adds to and overrides its row', () => {
  const cause = new Error('why')
  const error = fail('gone', {
    message: 'Yours is gone.',
    hint: 'No.',
    cause,
    details: { id: 1 },
    headers: { 'x-a': 'b' },
  })
  assert.is(error.message, 'Yours is gone.')
  assert.is(error.hint, 'No.')
  assert.is(error.cause, cause)
  assert.equal(error.details, { id: 1 })
  assert.equal(error.headers, { 'retry-after': '1', 'x-a': 'b' })
})

test('a code without a status has status 500', () => assert.is(fail('inner').status, 500))

test('an SvcError of another bundle is recognised; other values are not', () => {
  class Other extends Error {
    override readonly name = 'SvcError'
    readonly code = 'gone'
  }
  assert.ok(isSvcError(new Other(), 'gone'))
  assert.ok(isSvcError(fail('gone')))
  assert.not.ok(isSvcError(fail('gone'), 'inner'))
  for (const value of [new Error('x'), { name: 'SvcError', code: 'gone' }, null, undefined, 'gone']) {
    assert.not.ok(isSvcError(value))
  }
})

test.run()
