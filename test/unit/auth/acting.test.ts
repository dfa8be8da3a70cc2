/** Acting for a user: exchange with a subject, and keys of other users. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, startService } from './service.ts'

const KEYS = '/api/svc/auth/keys'
const EXCHANGE = '/api/svc/auth/exchange'
const DELEGATION = { 'security.delegation': true }
const MANAGER = 'a b svc:act svc:keys:manage'

type Body = Record<string, unknown>

interface Made {
  readonly key: string
  readonly record: Body & { readonly id: string }
}

async function within(settings: Body, run: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService({ ...DELEGATION, ...settings })
  try {
    await run(service)
  } finally {
    await service.stop()
  }
}

async function createKey(service: Service, claims: Body = {}, wish: Body = {}): Promise<Made> {
  const as = await service.token({ sub: 'backend', scope: 'a b svc:act', tenant_id: 'acme', ...claims })
  const answer = await service.send(KEYS, { method: 'POST', as, body: { name: 'x', ...wish } })
  assert.is(answer.status, 201, answer.text)
  return answer.body as unknown as Made
}

const exchange = (service: Service, key: string, body?: unknown) =>
  service.send(EXCHANGE, { method: 'POST', key, ...(body !== undefined && { body }) })

const claimsOf = (token: unknown): Body =>
  JSON.parse(Buffer.from(String(token).split('.')[1]!, 'base64url').toString()) as Body

test('a key with svc:act is exchanged for a token of a user of its tenant', () =>
  within({}, async (service) => {
    const { key, record } = await createKey(service)
    const answer = await exchange(service, key, { subject: 'ada', scope: 'b c  svc:act b', expires_in: 5 })
    assert.is(answer.status, 200, answer.text)
    const { access_token: token, ...rest } = answer.body
    assert.equal(rest, {
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 5,
      scope: 'b',
    })
    const claims = claimsOf(token)
    assert.equal([claims['sub'], claims['act'], claims['tenant_id']], ['ada', { sub: 'backend' }, 'acme'])
    const { credential, ...who } = (await service.send('/whoami', { as: String(token) })).body
    assert.equal(who, { kind: 'user', user: 'ada', tenant: 'acme', scopes: ['b'], actor: 'backend' })
    assert.equal(credential, {
      id: `key:${record.id}`,
      keyId: record.id,
      expiresAtMs: service.nowMs() + 5_000,
      signedBy: 'exchange:1',
    })
    service.advance(5_000)
    assert.is((await service.send('/whoami', { as: String(token) })).code, 'token_expired')
  }))

test('without scope an acting token has none, and a token without subject has those of its key', () =>
  within({}, async (service) => {
    const { key } = await createKey(service)
    for (const [body, scope] of [
      [{ subject: 'ada' }, ''],
      [{ subject: 'ada', scope: '' }, ''],
      [undefined, 'a b svc:act'],
      [{ expires_in: 5 }, 'a b svc:act'],
      [{ scope: 'svc:act z' }, 'svc:act'],
      [{ scope: '' }, ''],
    ] as const) {
      const answer = await exchange(service, key, body)
      assert.is(answer.body['scope'], scope, JSON.stringify(body))
      const { scopes, actor } = (await service.send('/whoami', { as: String(answer.body['access_token']) })).body
      assert.equal(scopes, scope.split(' ').filter(Boolean))
      assert.is(actor, body !== undefined && 'subject' in body ? 'backend' : undefined)
    }
  }))

test('acting needs svc:act on the key, and security.delegation', async () => {
  await within({}, async (service) => {
    const { key } = await createKey(service, { scope: 'a svc:keys:manage svc:actor' })
    assert.is((await exchange(service, key, { subject: 'ada' })).code, 'forbidden')
  })
  await within({ 'security.delegation': false }, async (service) => {
    const { key } = await createKey(service)
    for (const subject of ['ada', 'backend']) assert.is((await exchange(service, key, { subject })).code, 'forbidden')
    assert.is((await exchange(service, key)).status, 200)
  })
})

test('a wrong subject, scope or life is 400, with all problems', () =>
  within({ 'security.exchange_ttl_seconds': 100 }, async (service) => {
    const { key } = await createKey(service)
    for (const body of [
      ...['', '*', 7, null, 'x'.repeat(257), 'a\u0000', '\ud800'].map((subject) => ({ subject })),
      ...[0, 101, 1.5, '60', null].map((expires_in) => ({ expires_in })),
      ...[7, null, ['a'], 'a"b', 'ä', 'a\tb'].map((scope) => ({ scope })),
      { subject: 'ada', more: 1 },
      [],
    ])
      assert.is((await exchange(service, key, body)).code, 'malformed_request', JSON.stringify(body))
    const { text } = await exchange(service, key, { scope: 7, expires_in: 0, more: 1 })
    for (const word of ['scope: expected', 'expires_in: expected', 'no members but']) assert.match(text, word)
  }))

test('an acting token ends with its key, however long it asked to live', () =>
  within({}, async (service) => {
    const { key, record } = await createKey(service, {}, { expires_in: 30 })
    const answer = await exchange(service, key, { subject: 'ada', expires_in: 900 })
    assert.is(answer.body['expires_in'], 30)
    const as = String(answer.body['access_token'])
    assert.is((await service.send('/whoami', { as })).status, 200)
    const owner = await service.token({ sub: 'backend', tenant_id: 'acme' })
    assert.is((await service.send(`${KEYS}/${record.id}`, { method: 'DELETE', as: owner })).status, 204)
    assert.is((await service.send('/whoami', { as })).code, 'api_key_invalid')
  }))

test('who acts for a user has no access to API keys', () =>
  within({}, async (service) => {
    const { key } = await createKey(service)
    const token = String((await exchange(service, key, { subject: 'ada', scope: 'a b' })).body['access_token'])
    const provider = await service.token({ act: { sub: 'backend' }, scope: MANAGER })
    for (const as of [token, provider]) {
      assert.is((await service.send(KEYS, { method: 'POST', as, body: { name: 'x' } })).code, 'forbidden')
      assert.is((await service.send(KEYS, { as })).code, 'forbidden')
      assert.is((await service.send(`${KEYS}/x`, { method: 'DELETE', as })).code, 'forbidden')
    }
  }))

test('a manager makes, lists and revokes the keys of a user of its tenant', () =>
  within({}, async (service) => {
    const manager = { sub: 'manager', scope: MANAGER }
    const { key, record } = await createKey(service, manager, { user_id: 'ada' })
    assert.equal(
      [record['user_id'], record['tenant_id'], record['made_by'], record['scopes']],
      ['ada', 'acme', 'manager', ['a', 'b']],
    )
    const who = (await service.send('/whoami', { key })).body
    assert.equal([who['user'], who['actor'], who['tenant']], ['ada', 'manager', 'acme'])
    const exchanged = await exchange(service, key)
    assert.is((await service.send('/whoami', { as: String(exchanged.body['access_token']) })).body['actor'], 'manager')
    const as = await service.token({ ...manager, tenant_id: 'acme' })
    const listed = await service.send(`${KEYS}?user=ada`, { as })
    assert.equal(
      (listed.body['keys'] as Body[]).map(({ id }) => id),
      [record.id],
    )
    assert.equal((await service.send(KEYS, { as })).body, { keys: [] })
    const other = await service.token({ ...manager, tenant_id: 'other' })
    assert.equal((await service.send(`${KEYS}?user=ada`, { as: other })).body, { keys: [] })
    const path = `${KEYS}/${record.id}`
    assert.is((await service.send(`${path}?user=ada`, { method: 'DELETE', as: other })).code, 'not_found')
    assert.is((await service.send(path, { method: 'DELETE', as })).code, 'not_found')
    assert.is((await service.send(`${path}?user=ada`, { method: 'DELETE', as })).status, 204)
    assert.is((await service.send('/whoami', { key })).code, 'api_key_invalid')
  }))

test('keys of others need their scopes; a key for another has no reserved scope and ends with the key that made it', () =>
  within({}, async (service) => {
    const send = async (scope: string, path: string, method = 'GET', body?: unknown) =>
      service.send(path, {
        method,
        as: await service.token({ sub: 'manager', scope }),
        ...(body !== undefined && { body }),
      })
    assert.is((await send('svc:keys:manage', KEYS, 'POST', { name: 'x', user_id: 'ada' })).code, 'forbidden')
    assert.is((await send('svc:act', KEYS, 'POST', { name: 'x', user_id: 'ada' })).code, 'forbidden')
    assert.is((await send('svc:act', `${KEYS}?user=ada`)).code, 'forbidden')
    assert.is((await send('a', `${KEYS}/x?user=ada`, 'DELETE')).code, 'forbidden')
    assert.is((await send('', `${KEYS}?user=manager`)).status, 200, 'the own id needs no scope')
    assert.is((await send('a', KEYS, 'POST', { name: 'x', user_id: 'manager' })).status, 201)
    for (const query of ['?user=', '?user=*', '?user=a&user=b', '?user=%00'])
      assert.is((await send(MANAGER, KEYS + query)).code, 'malformed_request', query)
    for (const scopes of [['svc:act'], ['a', 'svc:x'], ['c']])
      assert.is((await send(MANAGER, KEYS, 'POST', { name: 'x', user_id: 'ada', scopes })).code, 'forbidden')

    const parent = await createKey(service, { scope: MANAGER }, { expires_in: 60 })
    const child = await service.send(KEYS, { method: 'POST', key: parent.key, body: { name: 'x', user_id: 'ada' } })
    assert.is(child.status, 201, child.text)
    const { record } = child.body as unknown as Made
    assert.is(record['expires_at_ms'], parent.record['expires_at_ms'])
  }))

test('every act is one record of svc::auth, without a secret, whatever the filter of the log says', () =>
  within({}, async (service) => {
    const { key, record } = await createKey(service, { scope: MANAGER })
    const token = String((await exchange(service, key, { subject: 'ada', scope: 'a' })).body['access_token'])
    const made = await createKey(service, { scope: MANAGER }, { user_id: 'ada' })
    const as = await service.token({ sub: 'backend', scope: MANAGER, tenant_id: 'acme' })
    await service.send(`${KEYS}?user=ada`, { as })
    await service.send(`${KEYS}/${made.record.id}?user=ada`, { method: 'DELETE', as })
    const acts = service.records.filter(({ target, level }) => target === 'svc::auth' && level === 'info')
    assert.equal(
      acts.map(({ message, fields }) => [message, fields?.['actor'], fields?.['user'], fields?.['tenant']]),
      [
        'An API key is exchanged for a token of a user.',
        'An API key is made for a user.',
        'The API keys of a user are listed.',
        'An API key of a user is revoked.',
      ].map((message) => [message, 'backend', 'ada', 'acme']),
    )
    assert.is(acts[0]!.fields?.['key'], record.id)
    const text = JSON.stringify(acts)
    for (const secret of [key.slice(21), made.key.slice(21), token.split('.')[2]!]) assert.not.ok(text.includes(secret))
  }))

test.run()
