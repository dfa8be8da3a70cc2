/** Reserved scopes, user ids that callers name, and who acts. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Identity } from '../../../core/http/identity.ts'
import type { Delegation, ReservedScope } from '../../../plugins/auth/api.ts'
import { createDelegation, readUserId } from '../../../plugins/auth/delegation/reserved-scopes.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { failure } from '../../support/throws.ts'
import { startService } from './service.ts'

const scopes: readonly ReservedScope[] = [
  'svc:act',
  'svc:runs:read',
  'svc:runs:write',
  'svc:keys:manage',
  'svc:users:revoke',
]

function caller(given: readonly string[], kind: Identity['kind'] = 'user'): Identity {
  return { kind, user: 'ada', tenant: 'acme', scopes: given, credential: null }
}

test('a reserved scope counts for a user that has it, and only where delegation is on', () => {
  const log = { record: () => undefined }
  const [on, off] = [true, false].map((enabled) => createDelegation({ enabled, actingKeyShare: 0.5, log })) as [
    Delegation,
    Delegation,
  ]
  for (const scope of scopes) {
    assert.ok(on.has(caller(['a', scope]), scope))
    on.demand(caller([scope]), scope)
    const others = scopes.filter((one) => one !== scope)
    for (const [delegation, who] of [
      [off, caller([scope])],
      [on, caller(others)],
      [on, caller([`${scope}:x`, scope.toUpperCase(), 'svc:', 'svc:*'])],
      [on, caller([scope], 'anonymous')],
      [on, caller([scope], 'local')],
    ] as const) {
      assert.not.ok(delegation.has(who, scope))
      failure('forbidden', () => delegation.demand(who, scope))
    }
  }
})

test('a user id has 1 to 256 bytes of UTF-8, no control characters, and is not "*"', () => {
  for (const id of ['a', ' ', '**', 'ü'.repeat(128), '😀'.repeat(64), 'x'.repeat(256), '\u00a0'])
    assert.is(readUserId(id, 'user'), id)
  const refused = [
    '',
    '*',
    'x'.repeat(257),
    'ü'.repeat(129),
    'a\u0000',
    '\n',
    '\u007f',
    '\u0085',
    '\ud800',
    7,
    null,
    undefined,
    ['a'],
    {},
  ]
  for (const id of refused) failure('malformed_request', () => readUserId(id, 'user'), JSON.stringify(id))
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }), (id) => {
      const fits = Buffer.byteLength(id) <= 256 && Buffer.from(id).toString() === id
      const clean = id !== '*' && ![...id].some((one) => one < ' ' || (one >= '\u007f' && one <= '\u009f'))
      const read = (): unknown => readUserId(id, 'user')
      if (fits && clean) read()
      else failure('malformed_request', read)
    }),
  )
})

test('the outermost act of a token is the actor; act of another type is refused', async () => {
  const service = await startService()
  const ask = async (claims: object) => service.send('/whoami', { as: await service.token({ ...claims }) })
  assert.is((await ask({ act: { sub: 'bot', act: { sub: 'other' } } })).body['actor'], 'bot')
  assert.not.ok('actor' in (await ask({})).body)
  for (const act of [null, 'bot', 7, [], ['bot'], {}, { sub: '' }, { sub: 7 }, { act: { sub: 'bot' } }]) {
    const answer = await ask({ act })
    assert.is(answer.code, 'token_claims_invalid', JSON.stringify(act))
    assert.match(answer.text, 'the act claim')
  }
  await service.stop()
})

test('a sub of "*" is refused where delegation is on, and only there', async () => {
  for (const on of [true, false]) {
    const service = await startService({ 'security.delegation': on })
    const answer = await service.send('/whoami', { as: await service.token({ sub: '*' }) })
    assert.is(answer.code, on ? 'token_claims_invalid' : undefined)
    await service.stop()
  }
})

test.run()
