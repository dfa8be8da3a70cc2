/**
 * What holds whatever callers, operators and clocks do: no token reaches another tenant, an acting token never has more
 * than its key, and nothing that was issued before a revocation is accepted after its answer. On several nodes each
 * request goes to the next one, a revocation is waited for as long as it may take, and every node is asked.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { countOf } from '../../support/count.ts'
import { nodes } from '../../support/nodes.ts'
import { type Service, startService } from './service.ts'

const TENANTS = ['one', 'two']
const USERS = ['ada', 'bo', 'backend']
const SCOPES = ['a', 'b', 'svc:act', 'svc:keys:manage', 'svc:users:revoke', 'svc:odd']

type Body = Record<string, unknown>

interface Held {
  readonly kind: 'jwt' | 'key' | 'exchanged'
  readonly text: string
  readonly tenant: string
  readonly user: string
  /** The users with whom the credential ends: its user, who acts, and the owners and makers of the keys behind it. */
  readonly endsWith: ReadonlySet<string>
  readonly scopes: readonly string[]
  readonly actor: string | undefined
  revoked: boolean
  /** A clock may have refused it: only `revoked` says anything then. */
  readonly byClock: boolean
  /** The second in `iat` of a JWT. */
  readonly issuedAt?: number
}

/**
 * Marks what a revocation ends. A JWT whose second lies ahead of the clock of the revocation, because that was set back
 * meanwhile, cannot be told from one that is issued later: nothing is known of it.
 */
function revoke(all: readonly Held[], tenant: string, user: string, nowMs: number): void {
  for (const held of all)
    if (held.tenant === tenant && held.endsWith.has(user) && (held.issuedAt ?? 0) <= Math.floor(nowMs / 1_000))
      held.revoked = true
}

const index = fc.nat(1_000)
const who = { tenant: fc.constantFrom(...TENANTS), user: fc.constantFrom(...USERS) }
const scopes = fc.subarray(SCOPES)
const step = fc.oneof(
  fc.record({ kind: fc.constant('jwt' as const), ...who, scopes, undated: fc.boolean() }),
  fc.record({ kind: fc.constant('key' as const), by: index, scopes, owner: fc.constantFrom(...USERS) }),
  fc.record({
    kind: fc.constant('exchange' as const),
    by: index,
    scopes,
    subject: fc.option(fc.constantFrom(...USERS)),
  }),
  fc.record({ kind: fc.constant('revoke' as const), ...who }),
  fc.record({ kind: fc.constant('lift' as const), ...who }),
  fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: -100_000, max: 100_000 }) }),
  fc.record({ kind: fc.constant('race' as const), by: index, subject: fc.constantFrom(...USERS) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const send = (service: Service, held: Held, path: string, options: Body = {}) =>
  service.send(path, { ...options, ...(held.kind === 'key' ? { key: held.text } : { as: held.text }) })

const operator = (service: Service, tenant: string): Promise<string> =>
  service.token({ sub: 'operator', tenant_id: tenant, scope: 'svc:users:revoke' })

function exchanged(by: Held, token: string, given: readonly string[], subject: string | null | undefined): Held {
  const acts = subject !== null && subject !== undefined
  return {
    ...by,
    kind: 'exchanged',
    text: token,
    user: acts ? subject : by.user,
    endsWith: new Set([...by.endsWith, ...(acts ? [subject] : [])]),
    scopes: given,
    actor: acts ? by.user : by.actor,
    revoked: by.revoked,
    byClock: false,
  }
}

/** Does one step; what it issued is added to `all`. */
async function take(service: Service, one: Step, all: Held[]): Promise<void> {
  const keys = all.filter(({ kind }) => kind === 'key')
  if (one.kind === 'clock') return service.setClock(one.ms)
  if (one.kind === 'jwt') {
    const claims = { sub: one.user, tenant_id: one.tenant, scope: one.scopes.join(' ') }
    const text = await service.token({
      ...claims,
      exp: service.nowMs() / 1000 + 1e7,
      ...(one.undated && { iat: undefined }),
    })
    const { user, tenant, scopes: own } = one
    all.push({
      ...{ kind: 'jwt', text, user, tenant, scopes: own },
      endsWith: new Set([user]),
      actor: undefined,
      revoked: false,
      byClock: true,
      ...(!one.undated && { issuedAt: Math.floor(service.nowMs() / 1_000) }),
    })
  } else if (one.kind === 'key' && all.length > 0) {
    const by = all[one.by % all.length]!
    const wish = { name: 'x', scopes: one.scopes, user_id: one.owner }
    const { status, body } = await send(service, by, '/api/svc/auth/keys', { method: 'POST', body: wish })
    if (status !== 201) return
    assert.not.ok(by.actor, 'who acts for a user makes no keys')
    const forAnother = one.owner !== by.user
    if (forAnother) for (const scope of ['svc:act', 'svc:keys:manage']) assert.ok(by.scopes.includes(scope))
    for (const scope of one.scopes) {
      assert.ok(by.scopes.includes(scope), 'no scope beyond the creator')
      assert.not.ok(forAnother && scope.startsWith('svc:'), 'no reserved scope for another user')
    }
    all.push({
      ...{ kind: 'key', text: String(body['key']), tenant: by.tenant, user: one.owner, scopes: one.scopes },
      endsWith: new Set(forAnother ? [one.owner, by.user] : [one.owner]),
      actor: forAnother ? by.user : undefined,
      revoked: false,
      byClock: false,
    })
  } else if (one.kind === 'exchange' && keys.length > 0) {
    const by = keys[one.by % keys.length]!
    const body = { scope: one.scopes.join(' '), ...(one.subject !== null && { subject: one.subject }) }
    const answer = await service.send('/api/svc/auth/exchange', { method: 'POST', key: by.text, body })
    if (answer.status !== 200) return
    assert.not.ok(by.revoked, 'a revoked key is not exchanged')
    if (one.subject !== null) assert.ok(by.scopes.includes('svc:act'))
    const given = String(answer.body['scope']).split(' ').filter(Boolean)
    for (const scope of given) {
      assert.ok(by.scopes.includes(scope), 'no scope beyond the key')
      assert.ok(one.subject === null || !scope.startsWith('svc:'), 'no reserved scope for another user')
    }
    all.push(exchanged(by, String(answer.body['access_token']), given, one.subject))
  } else if (one.kind === 'revoke') {
    const body = { user_id: one.user }
    const as = await operator(service, one.tenant)
    assert.is((await service.send('/api/svc/auth/revocations', { method: 'POST', as, body })).status, 201)
    revoke(all, one.tenant, one.user, service.nowMs())
  } else if (one.kind === 'lift') {
    await service.send(`/api/svc/auth/revocations/${one.user}`, {
      method: 'DELETE',
      as: await operator(service, one.tenant),
    })
    // Tokens without iat count again, so nothing is known of them.
    for (const held of all)
      if (held.kind === 'jwt' && held.tenant === one.tenant && held.user === one.user) held.revoked = false
  } else if (one.kind === 'race' && keys.length > 0) {
    // A revocation and an exchange at once: either order is right, and a token that was issued before is refused with
    // the key.
    const by = keys[one.by % keys.length]!
    const as = await operator(service, by.tenant)
    const body = { subject: one.subject }
    const [answer] = await Promise.all([
      service.send('/api/svc/auth/exchange', { method: 'POST', key: by.text, body }),
      service.send('/api/svc/auth/revocations', { method: 'POST', as, body: { user_id: by.user } }),
    ])
    revoke(all, by.tenant, by.user, service.nowMs())
    if (answer.status === 200)
      all.push(exchanged({ ...by, revoked: true }, String(answer.body['access_token']), [], one.subject))
  }
}

async function judge(service: Service, all: readonly Held[]): Promise<void> {
  // Each node judges each credential.
  for (const held of all.flatMap((one) => Array.from({ length: nodes().count }, () => one))) {
    const { status, body, code } = await send(service, held, '/whoami')
    if (held.revoked) assert.is(status, 401, `${held.kind} of ${held.user} is revoked`)
    // Clocks alone, or the life of a token, may refuse others.
    if (status !== 200) {
      if (!held.byClock && !held.revoked) assert.match(String(code), /^token_expired$|^api_key_invalid$/)
      continue
    }
    assert.equal([body['tenant'], body['user'], body['actor']], [held.tenant, held.user, held.actor])
    assert.equal(body['scopes'], held.scopes)
  }
}

test('the invariants of delegation hold in every sequence of acts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      const service = await startService({ 'security.delegation': true, 'security.max_keys_in_the_making': 100 })
      try {
        const all: Held[] = []
        const scope = SCOPES.join(' ')
        for (const tenant of TENANTS) {
          const as = await service.token({ sub: 'backend', tenant_id: tenant, scope })
          const made = await service.send('/api/svc/auth/keys', { method: 'POST', as, body: { name: 'x' } })
          all.push({
            ...{ kind: 'key', text: String(made.body['key']), tenant, user: 'backend', scopes: SCOPES },
            endsWith: new Set(['backend']),
            actor: undefined,
            revoked: false,
            byClock: false,
          })
        }
        for (const one of steps) {
          await take(service, one, all)
          await judge(service, all)
        }
      } finally {
        await service.stop()
      }
    }),
    // Each revocation takes a second on several nodes.
    { numRuns: nodes().count === 1 ? countOf({ quick: 25, deep: 1_000 }) : countOf({ quick: 3, deep: 60 }) },
  )
})

test.run()
