/** Acting for a user: exchange with a subject, and keys of other users. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createKey as createAnyKey, EXCHANGE, exchange, KEYS, type Made, type Service, within } from './service.ts'

const MANAGER = 'a b svc:act svc:keys:manage'

const acting = (run: (service: Service) => Promise<void>): Promise<void> => within({ 'security.delegation': true }, run)

const createKey = (service: Service, claims: object = {}, wish: object = {}): Promise<Made> =>
  createAnyKey(service, { sub: 'backend', scope: 'a b svc:act', tenant_id: 'acme', ...claims }, wish)

test('without scope an acting token has none, and a token without subject has those of its key', () =>
  acting(async (service) => {
    const { key } = await createKey(service)
    for (const [body, scope] of [
      [{ subject: 'ada' }, ''],
      [{ subject: 'ada', scope: '' }, ''],
      [undefined, 'a b svc:act'],
      [{ expires_in: 5 }, 'a b svc:act'],
      [{ scope: 'svc:act z' }, 'svc:act'],
      [{ scope: '' }, ''],
    ] as const) {
      const answer = await service.send(EXCHANGE, { method: 'POST', key, ...(body !== undefined && { body }) })
      assert.is(answer.body['scope'], scope, JSON.stringify(body))
      const { scopes, actor } = (await service.send('/whoami', { as: String(answer.body['access_token']) })).body
      assert.equal(scopes, scope.split(' ').filter(Boolean))
      assert.is(actor, body !== undefined && 'subject' in body ? 'backend' : undefined)
    }
  }))

test('keys of others need their scopes; a key for another has no reserved scope and ends with the key that made it', () =>
  acting(async (service) => {
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
  acting(async (service) => {
    const { key, record } = await createKey(service, { scope: MANAGER })
    const token = await exchange(service, key, { subject: 'ada', scope: 'a' })
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
