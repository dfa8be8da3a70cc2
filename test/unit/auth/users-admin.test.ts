/** What the owner of the machine does to keys and users of every tenant, over the local surface. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import type { Surface } from '../../../core/http/surface.ts'
import { createMemoryKeyStore } from '../../../plugins/auth/api-keys/store/memory-store.ts'
import { feature as usersAdmin } from '../../../plugins/auth/users-admin/feature.ts'
import type { UserParts } from '../../../plugins/auth/users-admin/parts.ts'
import { eraseUser } from '../../../plugins/auth/users-admin/users.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { nodes } from '../../support/nodes.ts'
import { bodyOf, makeRequest, postJson } from '../../support/requests.ts'
import { rejection } from '../../support/throws.ts'
import { allFeatures, EXCHANGE, exchange, type Service, START_MS, startService } from './service.ts'

const ADMIN = '/api/v1/admin'
/** The longest time in which a change reaches every node of a busy machine, in milliseconds. */
const EVERYWHERE_MS = 10_000

interface Owner {
  readonly service: Service
  /** Sends a request over the socket of the next node. */
  send(method: string, path: string, body?: unknown, transport?: 'unix' | 'tcp'): Promise<Answer>
  /** Creates a key, and returns its text and its record. */
  key(body: object): Promise<{ readonly key: string; readonly record: KeyView }>
  /** The records of `svc::auth`, without the time. */
  acts(): readonly Readonly<Record<string, unknown>>[]
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: { readonly code: string } }
}

interface KeyView {
  readonly id: string
  readonly user_id: string
  readonly tenant_id: string
  readonly scopes: readonly string[]
  readonly expires_at_ms: number
  readonly revoked_at_ms: number | null
}

/** Checks on every node. Changes reach the other nodes of several within {@link EVERYWHERE_MS}. */
async function onEvery(check: () => Promise<void>): Promise<void> {
  const { count } = nodes()
  const since = performance.now()
  for (let right = 0; right < count; ) {
    try {
      await check()
      right++
    } catch (error) {
      if (count === 1 || performance.now() - since > EVERYWHERE_MS) throw error
      right = 0
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function startOwner(
  settings: Readonly<Record<string, unknown>> = {},
  startMs: number = START_MS,
): Promise<Owner> {
  const surfaces: Surface[] = []
  const socket: Plugin = definePlugin({
    name: 'socket',
    feature: 'socket',
    setup(ctx) {
      ctx.guard('local', () => ({ kind: 'local', user: 'uid:0', tenant: null, scopes: [], credential: null }))
      ctx.onStart(() => void surfaces.push(ctx.surface('local')))
    },
  })
  const plugins = [...allFeatures, streams, live, usersAdmin, socket]
  const service = await startService({ 'security.max_keys_in_the_making': 100, ...settings }, plugins, startMs)
  let turn = 0
  const send: Owner['send'] = async (method, path, body, transport = 'unix') => {
    const peer = { transport, address: '' }
    const target = ADMIN + path
    const request = body === undefined ? makeRequest(target, { method, peer }) : postJson(target, body, { peer })
    const reply = await surfaces[turn++ % surfaces.length]!.handle(request)
    return { status: reply.status, body: bodyOf(reply) }
  }
  return {
    service,
    send,
    async key(body) {
      const answer = await send('POST', '/keys', body)
      assert.is(answer.status, 201, JSON.stringify(answer.body))
      return answer.body as unknown as { key: string; record: KeyView }
    },
    acts: () => service.records.flatMap(({ message, fields }) => (fields?.['owner'] ? [{ message, ...fields }] : [])),
  }
}

type Credential = { readonly key: string } | { readonly as: string }

/** Checks the status that every node answers to some credentials. */
async function answers(service: Service, expected: number, ...given: readonly Credential[]): Promise<void> {
  // One after the other, because each request goes to the next node.
  for (const one of given)
    await onEvery(async () => assert.is((await service.send('/whoami', one)).status, expected, Object.keys(one)[0]))
}

test('a key of any user has any scopes, and may act from the first moment', async () => {
  const { service, key, acts } = await startOwner({ 'security.delegation': true })
  const made = await key({ user_id: 'backend', tenant_id: 'acme', scopes: ['svc:act', 'notes'] })
  const who = await service.send('/whoami', { key: made.key })
  assert.equal([who.body['user'], who.body['tenant'], who.body['actor']], ['backend', 'acme', undefined])
  const body = { subject: 'ada', scope: 'notes svc:act' }
  const exchanged = await service.send(EXCHANGE, { method: 'POST', key: made.key, body })
  assert.equal([exchanged.status, exchanged.body['scope']], [200, 'notes'])
  assert.equal(
    acts().map((act) => JSON.stringify(act)),
    [
      JSON.stringify({
        message: 'An API key is made for a user.',
        owner: 'uid:0',
        user: 'backend',
        tenant: 'acme',
        key: made.record.id,
        scope: 'svc:act notes',
      }),
    ],
  )
  assert.not.ok(JSON.stringify(service.records).includes(made.key.slice(21)), 'the log has no secret')
  await service.stop()
})

test('without --scope a key has none, and its life has the limit of all keys', async () => {
  const { service, key } = await startOwner({ 'security.key_max_days': 1 })
  const { record } = await key({ user_id: 'ada', tenant_id: 'acme', expires_in: 1e9 })
  assert.equal([record.scopes, record.expires_at_ms], [[], START_MS + 86_400_000])
  await service.stop()
})

test('the list has the keys of all tenants, of one, and of a user, in pages without holes', async () => {
  const { service, send, key } = await startOwner()
  const owners = ['ada acme', 'bo acme', 'ada other', 'ada\u00fc" acme']
  const made: string[] = []
  for (const owner of [...owners, ...owners]) {
    const [user_id, tenant_id] = owner.split(' ')
    made.push((await key({ user_id, tenant_id })).record.id)
    service.advance(1)
  }
  const list = async (query: string): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let before: unknown = ''; before !== null; ) {
      const next = before === '' ? '' : `&before=${before}`
      const { status, body } = await send('GET', `/keys?limit=3${query}${next}`)
      assert.is(status, 200)
      const page = body['keys'] as KeyView[]
      assert.ok(page.length <= 3)
      ids.push(...page.map(({ id }) => id))
      before = body['next']
    }
    return ids
  }
  const newest = (...at: readonly number[]): (string | undefined)[] => at.map((one) => made[one])
  assert.equal(await list(''), newest(7, 6, 5, 4, 3, 2, 1, 0))
  assert.equal(await list('&tenant=acme'), newest(7, 5, 4, 3, 1, 0))
  assert.equal(await list('&tenant=acme&user=ada'), newest(4, 0))
  assert.equal(await list('&user=ada'), newest(6, 4, 2, 0))
  assert.equal(await list(`&user=${encodeURIComponent('ada\u00fc"')}`), newest(7, 3))
  assert.equal(await list('&user=nobody'), [])
  const tenants = async (user: string) => (await send('GET', `/tenants?user=${user}`)).body['tenants']
  assert.equal([await tenants('ada'), await tenants('bo'), await tenants('no')], [['acme', 'other'], ['acme'], []])
  await service.stop()
})

test('a key and the one that replaces it are both valid for the overlap, with its tokens', async () => {
  const { service, send, key, acts } = await startOwner()
  const old = await key({ user_id: 'backend', tenant_id: 'acme', scopes: ['notes'], name: 'the backend' })
  const as = await exchange(service, old.key)
  await answers(service, 200, old, { as })
  const fresh = await key({ replaces: old.record.id, overlap: 60 })
  assert.equal([fresh.record.user_id, fresh.record.tenant_id, fresh.record.scopes], ['backend', 'acme', ['notes']])
  assert.is(acts().at(-1)?.['replaces'], old.record.id)
  await answers(service, 200, old, fresh, { as })
  service.advance(59_000)
  await answers(service, 200, old)
  service.advance(1_001)
  await answers(service, 401, old, { as })
  await answers(service, 200, fresh)
  assert.is((await send('POST', '/keys', { replaces: old.record.id })).status, 404, 'it has ended')
  await service.stop()
})

test('an overlap never prolongs a key, and a key of another user is not replaced', async () => {
  const { service, send, key } = await startOwner()
  const old = await key({ user_id: 'backend', tenant_id: 'acme', expires_in: 10 })
  for (const other of [{ user_id: 'ada' }, { tenant_id: 'other' }]) {
    const { status, body } = await send('POST', '/keys', { replaces: old.record.id, ...other })
    assert.equal([status, body.error?.code], [400, 'malformed_request'])
  }
  await key({ replaces: old.record.id, overlap: 3_600 })
  service.advance(10_001)
  await answers(service, 401, old)
  await service.stop()
})

test('the streams of a replaced key end with it', async () => {
  const { service, key } = await startOwner({}, Date.now())
  const old = await key({ user_id: 'backend', tenant_id: 'acme' })
  const open = async (headers: Readonly<Record<string, string>>) => {
    const response = await service.fetch(new Request('http://svc.test/api/live', { headers }))
    assert.is(response.status, 200)
    return response.text()
  }
  const byKey = open({ 'x-api-key': old.key })
  const byToken = open({ authorization: `Bearer ${await exchange(service, old.key)}` })
  await answers(service, 200, old)
  await key({ replaces: old.record.id, overlap: 1 })
  service.advance(1_000)
  // The sweep of streams runs on the real clock.
  await Promise.all([byKey, byToken])
  await service.stop()
})

test('an erased user has no keys and no reasons; nobody else loses anything', async () => {
  const { service, send, key, acts } = await startOwner({ 'security.delegation': true })
  const [mine, other] = [
    await key({ user_id: 'ada', tenant_id: 'acme', name: 'of Ada' }),
    await key({ user_id: 'ada', tenant_id: 'other' }),
  ]
  const as = await exchange(service, mine.key)
  await answers(service, 200, mine, other, { as })
  const query = '?tenant=acme&user=ada'
  await send('POST', `/users/revoke?tenant=acme&user=bo&reason=kept`)
  await send('POST', `/users/revoke${query}&reason=stolen`)
  await key({ user_id: 'ada', tenant_id: 'acme' })
  const erased = await send('POST', `/users/erase${query}`)
  assert.equal(erased.body, { tenant_id: 'acme', user_id: 'ada', keys: 2, runs: 0, reasons: 1 })
  await answers(service, 401, mine, { as })
  await answers(service, 200, other)
  const operator = await service.token({ sub: 'operator', tenant_id: 'acme', scope: 'svc:users:revoke' })
  await onEvery(async () => {
    assert.equal((await send('GET', `/keys${query}`)).body['keys'], [])
    const { body: listed } = await service.send('/api/svc/auth/revocations', { as: operator })
    const reasons = (listed['revocations'] as { user_id: string; reason: string | null }[])
      .map(({ user_id, reason }) => `${user_id} ${reason}`)
      .sort()
    assert.equal(reasons, ['ada null', 'bo kept'])
  })
  const act = acts().find(({ message }) => message === 'A user is erased.')
  assert.equal([act?.['tenant'], act?.['user'], act?.['keys'], act?.['reasons']], ['acme', 'ada', 2, 1])
  assert.equal((await send('POST', `/users/erase${query}`)).body['keys'], 0)
  await service.stop()
})

test('nothing is erased, and nobody is told so, if the key store of another plugin cannot erase keys', async () => {
  const untouched = (): never => {
    throw new Error('nothing is erased before the keys')
  }
  const parts: UserParts = {
    keys: {
      store: createMemoryKeyStore({ now: Date.now, monotonic: () => 0 }),
      service: { create: untouched, list: untouched, revoke: untouched },
    },
    delegation: { userId: (given) => String(given), record: untouched },
    revocations: { durable: false, tenantsOf: () => [], revoke: untouched, lift: untouched, eraseReasons: untouched },
    runs: { page: untouched, erase: untouched },
    now: Date.now,
    announceErased: untouched,
  }
  const request = makeRequest(`${ADMIN}/users/erase?tenant=acme&user=ada`, { method: 'POST' })
  await rejection('not_found', eraseUser(request, parts))
})

test.run()
