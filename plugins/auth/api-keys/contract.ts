/** The contract of API keys: create, list, revoke, use. */
import { type Case, type Contract, defineContract, type Target } from '../../../core/testing/contract.ts'
import { expectAnswer, mint, NOWHERE, withToken } from '../contract-tokens.ts'
import { createKeyText } from './key-text/key-text.ts'
import { keySettings } from './settings.ts'

const KEYS = '/api/svc/auth/keys'
const MOUNTS = [KEYS, '/api/auth/keys'] as const

/** The text of a key that no service has created, with the right checksum. */
const STRANGE_KEY = 'svc_0000000000000000_00000000000000000000000000000000000000000000uW8RI'

interface Created {
  readonly key: string
  readonly record: Readonly<Record<string, unknown>> & { readonly id: string }
}

/** Creates a key for user `sub` at one of the two paths. */
export async function createKey(
  target: Target,
  members: object = {},
  sub = 'ada',
  path: string = KEYS,
): Promise<Created> {
  const token = await mint({ sub, scope: 'a b' })
  const answer = await withToken(target, token, { method: 'POST', path, body: { name: 'contract', ...members } })
  expectAnswer(answer, 201)
  return answer.json() as Created
}

/** Sends a request with a key and compares the answer. */
async function expectKey(target: Target, key: string, status: number, code?: string): Promise<void> {
  expectAnswer(await target.request({ path: NOWHERE, headers: { 'x-api-key': key } }), status, code)
}

const fields = [
  'id',
  'name',
  'prefix',
  'user_id',
  'tenant_id',
  'scopes',
  'created_at_ms',
  'expires_at_ms',
  'last_used_at_ms',
  'revoked_at_ms',
].sort()

/** The contract of feature `auth.api-keys`. */
export const contract: Contract = defineContract({
  present: [
    ...MOUNTS.map(
      (path): Case => ({
        name: `${path} creates, lists and revokes`,
        steps: async (target) => {
          const { key, record } = await createKey(target, { scopes: ['a'] }, 'ada', path)
          if (!/^svc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/.test(key)) throw new Error('the key has the wrong form')
          if (String(Object.keys(record).sort()) !== String(fields)) {
            throw new Error(`the record has ${Object.keys(record)}`)
          }
          await expectKey(target, key, 404, 'not_found')
          const listed = await withToken(target, await mint(), { path })
          expectAnswer(listed, 200)
          if (listed.text.includes(key.slice(21)) || !listed.text.includes(record.id)) {
            throw new Error('the list shows the secret, or not the key')
          }
          for (let again = 0; again < 2; again++) {
            const token = await mint()
            expectAnswer(await withToken(target, token, { method: 'DELETE', path: `${path}/${record.id}` }), 204)
          }
          await expectKey(target, key, 401, 'api_key_invalid')
        },
      }),
    ),
    {
      name: 'a key of another owner is 404, like one that does not exist',
      steps: async (target) => {
        const { key, record } = await createKey(target)
        for (const id of [record.id, '0000000000000000']) {
          const send = { method: 'DELETE', path: `${KEYS}/${id}` }
          expectAnswer(await withToken(target, await mint({ sub: 'eve' }), send), 404, 'not_found')
          expectAnswer(await withToken(target, await mint({ tenant_id: 'other' }), send), 404, 'not_found')
        }
        await expectKey(target, key, 404)
      },
    },
    {
      name: 'a key has no scope that its creator lacks',
      steps: async (target) => {
        const send = { method: 'POST', path: KEYS, body: { name: 'x', scopes: ['c'] } }
        expectAnswer(await withToken(target, await mint({ scope: 'a' }), send), 403, 'forbidden')
      },
    },
    {
      name: 'a key made with a key does not outlive it',
      steps: async (target) => {
        const parent = await createKey(target, { expires_in: 600 })
        const headers = { 'x-api-key': parent.key }
        const child = await target.request({ method: 'POST', path: KEYS, headers, body: { name: 'child' } })
        expectAnswer(child, 201)
        const { record } = child.json() as Created
        if (record['expires_at_ms'] !== parent.record['expires_at_ms']) throw new Error('the child lives longer')
      },
    },
    {
      name: 'an expired key is refused, although it was accepted a moment ago',
      steps: async (target) => {
        for (const expires_in of [2, 10, 60]) {
          const { key, record } = await createKey(target, { expires_in })
          const endMs = Number(record['expires_at_ms'])
          const first = await target.request({ path: NOWHERE, headers: { 'x-api-key': key } })
          // A busy machine may need longer than a short life; then the next key lives longer.
          if (first.status === 401 && Date.now() >= endMs) continue
          expectAnswer(first, 404)
          await new Promise((resolve) => setTimeout(resolve, endMs - Date.now() + 5))
          await expectKey(target, key, 401, 'api_key_invalid')
          return
        }
        throw new Error('every key expired before its first use was answered')
      },
    },
    {
      name: 'wrong texts of keys are refused',
      steps: async (target) => {
        const { key } = await createKey(target)
        const twisted = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
        for (const text of ['', 'svc_', STRANGE_KEY, twisted, `${key}0`, key.toUpperCase()]) {
          await expectKey(target, text, 401, 'api_key_invalid')
        }
      },
    },
    {
      name: 'with svc:keys:manage and svc:act the keys of another user are made, listed and revoked',
      given: { 'security.delegation': true },
      steps: async (target) => {
        const owner = `bo-${crypto.randomUUID()}`
        const manager = await mint({ sub: 'manager', scope: 'a svc:act svc:keys:manage' })
        const body = { name: 'x', user_id: owner }
        const made = await withToken(target, manager, { method: 'POST', path: KEYS, body })
        expectAnswer(made, 201)
        const { key, record } = made.json() as Created
        if (record['user_id'] !== owner || record['made_by'] !== 'manager' || String(record['scopes']) !== 'a')
          throw new Error(made.text)
        await expectKey(target, key, 404)
        const listed = await withToken(target, manager, { path: `${KEYS}?user=${owner}` })
        if (!listed.text.includes(record.id)) throw new Error(listed.text)
        const path = `${KEYS}/${record.id}`
        const elsewhere = await mint({ sub: 'manager', scope: 'svc:act svc:keys:manage', tenant_id: 'other' })
        const ofOther = await withToken(target, elsewhere, { path: `${KEYS}?user=${owner}` })
        if (ofOther.text !== '{"keys":[]}') throw new Error(ofOther.text)
        const send = { method: 'DELETE', path: `${path}?user=${owner}` }
        expectAnswer(await withToken(target, elsewhere, send), 404, 'not_found')
        expectAnswer(await withToken(target, manager, { method: 'DELETE', path }), 404, 'not_found')
        expectAnswer(await withToken(target, manager, send), 204)
        await expectKey(target, key, 401, 'api_key_invalid')
      },
    },
    {
      name: 'all=true lists the keys of all users of the tenant in pages, newest first, and of no other tenant',
      given: { 'security.delegation': true },
      steps: async (target) => {
        const tenant = `all-${crypto.randomUUID()}`
        const made: string[] = []
        for (const [sub, of] of [
          ['ann', tenant],
          ['bo', tenant],
          ['ann', tenant],
          ['ann', `${tenant}-other`],
        ] as const) {
          const token = await mint({ sub, tenant_id: of })
          const answer = await withToken(target, token, { method: 'POST', path: KEYS, body: { name: 'x' } })
          expectAnswer(answer, 201)
          if (of === tenant) made.push((answer.json() as Created).record.id)
        }
        const operator = await mint({ sub: 'operator', tenant_id: tenant, scope: 'svc:keys:manage' })
        const listed: string[] = []
        for (let before = ''; ; ) {
          const answer = await withToken(target, operator, { path: `${KEYS}?all=true&limit=2${before}` })
          expectAnswer(answer, 200)
          const { keys, next } = answer.json() as { keys: { id: string }[]; next: string | null }
          listed.push(...keys.map(({ id }) => id))
          if (next === null) break
          before = `&before=${next}`
        }
        if (listed.toSorted().join() !== made.toSorted().join()) throw new Error(`${listed} instead of ${made}`)
        for (const query of ['limit=0', 'limit=1001', 'before=x', 'user=ann'])
          expectAnswer(
            await withToken(target, operator, { path: `${KEYS}?all=true&${query}` }),
            400,
            'malformed_request',
          )
      },
    },
    {
      name: 'keys of others are 403 without the scope, and while security.delegation is off',
      steps: async (target) => {
        const token = await mint({ sub: 'manager', scope: 'svc:act svc:keys:manage' })
        for (const send of [
          { path: `${KEYS}?user=bo` },
          { path: `${KEYS}?all=true` },
          { method: 'DELETE', path: `${KEYS}/x?user=bo` },
          { method: 'POST', path: KEYS, body: { name: 'x', user_id: 'bo' } },
        ])
          expectAnswer(await withToken(target, token, send), 403, 'forbidden')
      },
    },
    {
      name: 'a body of another shape is 400',
      steps: async (target) => {
        for (const body of [{}, { name: '' }, { name: 'x', expires_in: 0 }, { name: 'x', more: 1 }, []]) {
          const answer = await withToken(target, await mint(), { method: 'POST', path: KEYS, body })
          expectAnswer(answer, 400, 'malformed_request')
        }
      },
    },
    ...(
      [
        { method: 'POST', path: KEYS, body: { name: 'x' } },
        { path: KEYS },
        { method: 'DELETE', path: `${KEYS}/x` },
      ] as const
    ).map(
      (send): Case => ({
        name: `${'method' in send ? send.method : 'GET'} ${send.path} is not for anonymous callers`,
        given: { 'security.jwt_required': false },
        send,
        expect: { status: 403, body: { error: { code: 'forbidden' } } },
      }),
    ),
    {
      name: 'guesses that cost a hash are limited by address; tokens and accepted keys are not',
      oneNode: 'each node counts the guesses that it gets',
      given: { 'security.failed_key_limit': 2 },
      steps: async (target) => {
        const { key } = await createKey(target)
        await expectKey(target, key, 404)
        const guess = otherSecret(key)
        for (let count = 0; count < 2; count++) await expectKey(target, guess, 401, 'api_key_invalid')
        const limited = await target.request({ path: NOWHERE, headers: { 'x-api-key': guess } })
        expectAnswer(limited, 429, 'rate_limited')
        if (!(Number(limited.headers['retry-after']) > 0)) throw new Error('no Retry-After')
        await expectKey(target, key, 404)
        expectAnswer(await withToken(target, await mint()), 404)
      },
    },
    {
      name: 'neither keys nor their hashes are logged, and that they are lost in a restart is, once there are some',
      needs: ['telemetry.logs'],
      // A setting of its own gives this case a service in which no other case has created a key. It is the default, so
      // that one case hashes at that cost: the service of the other cases may hash at a low one.
      given: { 'security.argon2_memory_kib': keySettings['security.argon2_memory_kib'].default },
      steps: async (target) => {
        const lost = (): number => target.logs().match(/API keys are kept in memory/g)?.length ?? 0
        if (lost() > 0) throw new Error('the log warns of keys before there is one')
        const { key } = await createKey(target)
        await createKey(target)
        await expectKey(target, key, 404)
        const logs = target.logs()
        if (logs.includes(key.slice(21)) || logs.includes('$argon2')) throw new Error('the log shows a key or a hash')
        const { checks } = (await target.request({ path: '/readyz' })).json() as { checks?: object }
        // Nothing is lost if a database keeps the keys.
        const expected = checks !== undefined && 'postgres' in checks ? 0 : 1
        if (lost() !== expected) throw new Error(`the log says ${lost()} times that keys are in memory`)
      },
    },
  ],
  absent: [
    {
      name: 'no API key is accepted',
      send: { path: NOWHERE, headers: { 'x-api-key': STRANGE_KEY } },
      expect: { status: 401 },
    },
  ],
})

/** Returns a key text with the id of `key`, another secret and the right checksum. */
function otherSecret(key: string): string {
  return createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), key.slice(4, 20)).text
}
