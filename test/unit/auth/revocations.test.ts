/** Revocation of users and tokens on one service; test/e2e/cluster/key-nodes.test.ts runs it on three nodes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createKey, exchange, type Service, within } from './service.ts'

const REVOCATIONS = '/api/svc/auth/revocations'

type Body = Record<string, unknown>

const revocable = (settings: Body, run: (service: Service) => Promise<void>): Promise<void> =>
  within({ 'security.delegation': true, ...settings }, run)

const operator = (service: Service, claims: Body = {}): Promise<string> =>
  service.token({ sub: 'operator', scope: 'svc:users:revoke', ...claims })

async function revoke(service: Service, body: Body, claims: Body = {}): Promise<Body> {
  const answer = await service.send(REVOCATIONS, { method: 'POST', as: await operator(service, claims), body })
  assert.is(answer.status, 201, answer.text)
  return answer.body
}

/** The code of a use of a credential; `ok` if it is accepted. */
async function use(service: Service, credential: { as: string } | { key: string }): Promise<string> {
  const { code, status } = await service.send('/whoami', credential)
  return code ?? (status === 200 ? 'ok' : String(status))
}

test('a token with iat up to the second of the revocation, without iat or with one ahead is refused; later ones count', () =>
  revocable({ 'security.jwt_leeway_seconds': 2 }, async (service) => {
    const now = Math.floor(service.nowMs() / 1000)
    service.advance(400)
    const made: Record<string, string> = {}
    for (const [name, iat] of Object.entries({
      ...{ before: now - 60, same: now, within: now + 2, fraction: now + 2.9 },
      ...{ after: now + 3, ahead: now + 100 },
    }))
      made[name] = await service.token({ iat })
    const undated = await service.token({ iat: undefined })
    for (const as of [...Object.values(made), undated]) assert.is(await use(service, { as }), 'ok')
    await revoke(service, { user_id: 'ada' })
    const refusedOf = async (): Promise<string[]> => {
      const names: string[] = []
      for (const [name, as] of Object.entries(made))
        if ((await use(service, { as })) === 'token_revoked') names.push(name)
      return names
    }
    assert.equal(await refusedOf(), ['before', 'same', 'within', 'fraction', 'after', 'ahead'], 'after is ahead of now')
    service.advance(1_000)
    assert.equal(await refusedOf(), ['before', 'same', 'within', 'fraction', 'ahead'])
    assert.is(await use(service, { as: undated }), 'token_revoked')
    // A verdict that is cached depends on the clock all the same.
    service.setClock(-10_000)
    assert.equal(await refusedOf(), ['before', 'same', 'within', 'fraction', 'after', 'ahead'])
    service.setClock(10_000)
    assert.equal(await refusedOf(), ['before', 'same', 'within', 'fraction', 'ahead'])
  }))

test('a tenant that fills its half leaves the other half, renews its own, and expired tokens make room', () =>
  revocable({ 'security.max_revocations': 4 }, async (service) => {
    const post = async (tenant_id: string, body: Body) =>
      service.send(REVOCATIONS, { method: 'POST', as: await operator(service, { tenant_id }), body })
    const { key } = await createKey(service, { scope: 'svc:act', tenant_id: 'one' })
    const token = await exchange(service, key, { subject: 'bo' })
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }
    assert.is((await post('one', { user_id: 'bo', jti })).status, 201)
    assert.is((await post('one', { user_id: 'b' })).status, 201)
    const full = await post('one', { user_id: 'c' })
    assert.equal([full.status, full.code, full.headers.get('retry-after')], [503, 'overloaded', '60'])
    assert.is((await post('one', { user_id: 'b' })).status, 201, 'a known user needs no room')
    for (const user_id of ['a', 'b']) assert.is((await post('two', { user_id })).status, 201)
    assert.is((await post('three', { user_id: 'a' })).code, 'overloaded')
    service.setClock(900_000 + 3_600_000)
    assert.is((await post('one', { user_id: 'c' })).status, 201, 'the token has expired')
  }))

test('a revocation is one record that says who, whom and why', () =>
  revocable({}, async (service) => {
    await revoke(service, { user_id: 'ada', reason: 'stolen laptop' }, { tenant_id: 'acme' })
    const [act] = service.records.filter(({ target, level }) => target === 'svc::auth' && level === 'info')
    assert.is(act?.message, 'A user is revoked.')
    assert.equal(act?.fields, { actor: 'operator', tenant: 'acme', user: 'ada', reason: 'stolen laptop' })
  }))

test.run()
