/**
 * The contract of `auth.users-admin`. test/e2e/auth/users-admin.test.ts has keys, runs and revocations in a service.
 */
import { type Case, type Contract, defineContract, type Send, type Target } from '../../../core/testing/contract.ts'
import { expectAnswer, mint, withToken } from '../contract-tokens.ts'

const ADMIN = '/api/v1/admin'
/** Why these cases need one node: several nodes share the runtime surface alone. */
const oneNode = 'the socket belongs to one node'

const routes: readonly Send[] = [
  { path: `${ADMIN}/tenants?user=ann` },
  { path: `${ADMIN}/keys` },
  { method: 'POST', path: `${ADMIN}/keys`, body: { user_id: 'ann', tenant_id: 'acme' } },
  { method: 'POST', path: `${ADMIN}/keys/0000000000000000/revoke` },
  ...['revoke', 'restore', 'erase'].map((act) => ({
    method: 'POST',
    path: `${ADMIN}/users/${act}?user=ann&tenant=acme`,
  })),
]
const named = ({ method = 'GET', path = '' }: Send): string => `${method} ${path}`

const onSocket = (name: string, steps: (target: Target) => Promise<void>): Case => ({
  name: `on the socket, without a token: ${name}`,
  surface: 'local',
  oneNode,
  steps,
})

const notThere = (send: Send): Case => ({
  name: `the runtime surface has no ${named(send)}, whatever the scopes are`,
  steps: async (target) => {
    const token = await mint({ sub: 'admin', scope: 'svc:act svc:keys:manage svc:users:revoke' })
    expectAnswer(await withToken(target, token, send), 404, 'not_found')
  },
})

const refused = (send: Send): Case =>
  onSocket(`${named(send)} ${JSON.stringify(send.body ?? '')} is 400`, async (target) =>
    expectAnswer(await target.request(send), 400, 'malformed_request'),
  )

const post = (target: Target, path: string, body?: object) =>
  target.request({ method: 'POST', path: ADMIN + path, ...(body !== undefined && { body }) })

interface Made {
  readonly key: string
  readonly record: Readonly<Record<string, unknown>> & { readonly id: string; readonly scopes: readonly string[] }
}

/** Creates a key of a user whom no other case has. */
async function makeKey(target: Target, body: object = {}): Promise<Made & { readonly user: string }> {
  const user = `ann-${crypto.randomUUID()}`
  const answer = await post(target, '/keys', { user_id: user, tenant_id: 'acme', ...body })
  expectAnswer(answer, 201)
  if (answer.headers['cache-control'] !== 'no-store') throw new Error('the answer can be cached')
  return { ...(answer.json() as Made), user }
}

const command = (name: string, args: readonly string[], code: number, stderr: RegExp): Case => ({
  name,
  needs: ['cli'],
  command: args,
  exits: { code, stdout: '', stderr },
})

/** The contract of feature `auth.users-admin`. */
export const contract: Contract = defineContract({
  present: [
    onSocket('a key of any user has any scopes and no maker, is listed, and revoked', async (target) => {
      const { key, record, user } = await makeKey(target, { scopes: ['svc:act', 'a'] })
      if (!/^svc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/.test(key)) throw new Error('the key has the wrong form')
      if (record.scopes.join() !== 'svc:act,a' || 'made_by' in record) throw new Error(JSON.stringify(record))
      const tenants = await target.request({ path: `${ADMIN}/tenants?user=${user}` })
      if (tenants.text !== '{"tenants":["acme"]}') throw new Error(tenants.text)
      const listed = await target.request({ path: `${ADMIN}/keys?tenant=acme&user=${user}` })
      const { keys, next } = listed.json() as { keys: { id: string }[]; next: string | null }
      if (keys.map(({ id }) => id).join() !== record.id || next !== null) throw new Error(listed.text)
      if (listed.text.includes(key.slice(21))) throw new Error('the list shows the secret')
      for (let again = 0; again < 2; again++) {
        const revoked = await post(target, `/keys/${record.id}/revoke`)
        expectAnswer(revoked, 200)
        if (typeof (revoked.json() as Made['record'])['revoked_at_ms'] !== 'number') throw new Error(revoked.text)
      }
    }),
    onSocket('a key that replaces another one has its owner, name and scopes, and lets it end', async (target) => {
      const { record, user } = await makeKey(target, { scopes: ['a'], name: 'backend' })
      const answer = await post(target, '/keys', { replaces: record.id, overlap: 60 })
      expectAnswer(answer, 201)
      const next = (answer.json() as Made).record
      const { name, scopes, user_id, tenant_id } = next
      if (JSON.stringify([name, scopes, user_id, tenant_id]) !== JSON.stringify(['backend', ['a'], user, 'acme']))
        throw new Error(answer.text)
      const listed = await target.request({ path: `${ADMIN}/keys?user=${user}&tenant=acme` })
      const { keys } = listed.json() as { keys: { id: string; expires_at_ms: number; revoked_at_ms: number | null }[] }
      const old = keys.find(({ id }) => id === record.id)
      if (old === undefined || old.revoked_at_ms !== null || Math.abs(old.expires_at_ms - Date.now() - 60_000) > 30_000)
        throw new Error(listed.text)
      await post(target, `/keys/${record.id}/revoke`)
      expectAnswer(await post(target, '/keys', { replaces: record.id }), 404, 'not_found')
    }),
    onSocket('the list of keys has pages, newest first', async (target) => {
      const { record, user } = await makeKey(target)
      const second = await post(target, '/keys', { user_id: user, tenant_id: 'acme' })
      const read = async (query: string) => {
        const answer = await target.request({ path: `${ADMIN}/keys?user=${user}&limit=1${query}` })
        expectAnswer(answer, 200)
        const { keys, next } = answer.json() as { keys: { id: string }[]; next: string | null }
        return [keys.map(({ id }) => id).join(), next] as const
      }
      const [first, next] = await read('')
      const [last, end] = await read(`&before=${next}`)
      const expected = [(second.json() as Made).record.id, record.id]
      // Two keys of one millisecond are in the order of their ids.
      if ([first, last].sort().join() !== expected.sort().join() || end !== null) throw new Error(`${first} ${last}`)
    }),
    onSocket('a user is revoked, restored and erased', async (target) => {
      const { user, record } = await makeKey(target)
      const query = `?user=${user}&tenant=acme`
      expectAnswer(await post(target, `/users/restore${query}`), 404, 'not_found')
      const revoked = await post(target, `/users/revoke${query}&reason=stolen`)
      expectAnswer(revoked, 200)
      const { user_id, tenant_id, reason } = revoked.json() as Record<string, unknown>
      if (JSON.stringify([user_id, tenant_id, reason]) !== JSON.stringify([user, 'acme', 'stolen']))
        throw new Error(revoked.text)
      expectAnswer(await post(target, '/keys', { replaces: record.id }), 404, 'not_found')
      const restored = await post(target, `/users/restore${query}`)
      expectAnswer(restored, 200)
      if (typeof (restored.json() as Record<string, unknown>)['lifted_at_ms'] !== 'number')
        throw new Error(restored.text)
      const erase = async (): Promise<string> => {
        const answer = await post(target, `/users/erase${query}`)
        expectAnswer(answer, 200)
        const { keys, runs, reasons } = answer.json() as Record<string, unknown>
        return JSON.stringify([keys, runs, reasons])
      }
      const seen = [await erase(), await erase()].join(' ')
      if (seen !== '[1,0,1] [0,0,0]') throw new Error(seen)
      expectAnswer(await post(target, `/keys/${record.id}/revoke`), 404, 'not_found')
    }),
    ...[
      { path: `${ADMIN}/tenants` },
      { path: `${ADMIN}/tenants?user=*` },
      { path: `${ADMIN}/keys?tenant=` },
      { path: `${ADMIN}/keys?limit=0` },
      { path: `${ADMIN}/keys?before=x` },
      ...[
        {},
        { user_id: 'ann' },
        { user_id: '*', tenant_id: 'acme' },
        { user_id: 'ann', tenant_id: 'acme', overlap: 1 },
        { user_id: 'ann', tenant_id: 'acme', more: 1 },
        { user_id: 'ann', tenant_id: 'acme', expires_in: 0 },
        { replaces: 7 },
        [],
      ].map((body) => ({ method: 'POST', path: `${ADMIN}/keys`, body })),
      ...['?user=ann', '?tenant=acme', '?tenant=acme&user=ann&reason='].map((query) => ({
        method: 'POST',
        path: `${ADMIN}/users/revoke${query}`,
      })),
      { method: 'POST', path: `${ADMIN}/users/erase?user=ann` },
    ].map(refused),
    ...routes.map(notThere),
    command('svc key without an action ends with 64 and names the actions', ['key'], 64, /create, list, revoke/),
    command('svc user without an action ends with 64 and names the actions', ['user'], 64, /revoke, restore, erase/),
    command('svc key create without a user ends with 64', ['key', 'create'], 64, /--user/),
    command(
      'svc key create --expires-in soon ends with 64',
      ['key', 'create', '--replaces', 'x', '--expires-in', 'soon'],
      64,
      /whole number of seconds/,
    ),
    command('svc key revoke without an id ends with 64', ['key', 'revoke'], 64, /key id/),
    command('svc user erase without an id ends with 64', ['user', 'erase'], 64, /user id/),
    command('svc key list without a service ends with 1 and says so', ['key', 'list'], 1, /No service answers/),
  ],
  absent: [
    ...routes.map(
      (send): Case => ({
        name: `${named(send)} is not there`,
        surface: 'local',
        needs: ['sync.api'],
        send,
        expect: { status: 404, body: { error: { code: 'not_found' } } },
      }),
    ),
    ...['key', 'user'].map((name) =>
      command(`svc ${name} is not there`, [name, 'list'], 64, new RegExp(`There is no command "${name}"`)),
    ),
  ],
})
