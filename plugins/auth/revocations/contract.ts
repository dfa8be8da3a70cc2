/**
 * The contract of revocations. test/e2e/auth/revocations.test.ts restarts the service, test/e2e/cluster has several
 * nodes.
 */
import {
  type Answer,
  type Case,
  type Contract,
  defineContract,
  type Send,
  type Target,
} from '../../../core/testing/contract.ts'
import { expectAnswer, mint, NOWHERE, withToken } from '../contract-tokens.ts'

const REVOCATIONS = '/api/svc/auth/revocations'
const KEYS = '/api/svc/auth/keys'
const settings = { 'security.delegation': true }

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset

/** A user whom no other case has. */
const newUser = (): string => `ada-${crypto.randomUUID()}`

/** Sends a request of an operator of the tenant. */
async function operate(target: Target, send: Send, claims: object = {}): Promise<Answer> {
  return withToken(target, await mint({ sub: 'operator', scope: 'svc:users:revoke', ...claims }), send)
}

async function revoke(target: Target, body: object): Promise<Answer> {
  const answer = await operate(target, { method: 'POST', path: REVOCATIONS, body })
  expectAnswer(answer, 201)
  return answer
}

/** The contract of feature `auth.revocations`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a revocation refuses what was issued before it: tokens, tokens without iat, keys',
      given: settings,
      steps: async (target) => {
        const sub = newUser()
        const before = [
          await mint({ sub }),
          await mint({ sub, iat: undefined }),
          await mint({ sub, iat: seconds(600) }),
        ]
        const made = await withToken(target, before[0]!, { method: 'POST', path: KEYS, body: { name: 'x' } })
        expectAnswer(made, 201)
        const key = String((made.json() as { key: string }).key)
        for (const token of before) expectAnswer(await withToken(target, token), 404, 'not_found')
        const answer = (await revoke(target, { user_id: sub, reason: 'stolen' })).json() as Record<string, unknown>
        const { user_id, tenant_id, reason, not_before_ms } = answer
        if (user_id !== sub || tenant_id !== 'default' || reason !== 'stolen') throw new Error(JSON.stringify(answer))
        if (!(Math.abs(Number(not_before_ms) - Date.now()) < 60_000)) throw new Error(`not_before_ms ${not_before_ms}`)
        for (const token of before) expectAnswer(await withToken(target, token), 401, 'token_revoked')
        expectAnswer(await target.request({ path: NOWHERE, headers: { 'x-api-key': key } }), 401, 'api_key_invalid')
        expectAnswer(await withToken(target, await mint({ sub: newUser() })), 404, 'not_found')
        expectAnswer(await withToken(target, await mint({ sub, tenant_id: 'other' })), 404, 'not_found')
      },
    },
    {
      name: 'a token with the user as its actor is revoked with it',
      given: settings,
      steps: async (target) => {
        const sub = newUser()
        const token = await mint({ sub: newUser(), act: { sub } })
        expectAnswer(await withToken(target, token), 404, 'not_found')
        await revoke(target, { user_id: sub })
        expectAnswer(await withToken(target, token), 401, 'token_revoked')
      },
    },
    {
      name: 'with a jti one token ends, and no other of the user',
      given: settings,
      steps: async (target) => {
        const sub = newUser()
        const [one, two] = [await mint({ sub, jti: 'one' }), await mint({ sub, jti: 'two' })]
        const answer = (await revoke(target, { user_id: sub, jti: 'one' })).json() as Record<string, unknown>
        if (answer['jti'] !== 'one') throw new Error(JSON.stringify(answer))
        expectAnswer(await withToken(target, one), 401, 'token_revoked')
        expectAnswer(await withToken(target, two), 404, 'not_found')
      },
    },
    {
      name: 'a lifted revocation lets tokens without iat in again, and those issued before stay refused',
      given: settings,
      steps: async (target) => {
        const sub = newUser()
        const [dated, undated] = [await mint({ sub }), await mint({ sub, iat: undefined })]
        await revoke(target, { user_id: sub })
        const send = { method: 'DELETE', path: `${REVOCATIONS}/${sub}` }
        for (let again = 0; again < 2; again++) expectAnswer(await operate(target, send), 204)
        expectAnswer(await withToken(target, dated), 401, 'token_revoked')
        expectAnswer(await withToken(target, undated), 404, 'not_found')
        const { revocations } = (await operate(target, { path: REVOCATIONS })).json() as {
          revocations: { user_id: string; lifted_at_ms: number | null }[]
        }
        const [newest] = revocations
        if (newest?.user_id !== sub || typeof newest.lifted_at_ms !== 'number') throw new Error(JSON.stringify(newest))
        expectAnswer(await operate(target, { ...send, path: `${REVOCATIONS}/${newUser()}` }), 404, 'not_found')
      },
    },
    {
      name: 'the list of a tenant has its own revocations only, in pages',
      given: settings,
      steps: async (target) => {
        const tenant_id = newUser()
        for (const user_id of ['a', 'b', 'c']) {
          const send = { method: 'POST', path: REVOCATIONS, body: { user_id } }
          expectAnswer(await operate(target, send, { tenant_id }), 201)
        }
        const read = async (query: string): Promise<[users: string, next: string | null]> => {
          const answer = await operate(target, { path: `${REVOCATIONS}${query}` }, { tenant_id })
          expectAnswer(answer, 200)
          const { revocations, next } = answer.json() as { revocations: { user_id: string }[]; next: string | null }
          return [revocations.map(({ user_id }) => user_id).join(), next]
        }
        const [first, next] = await read('?limit=2')
        const [second, end] = await read(`?limit=2&before=${next}`)
        const seen = JSON.stringify([await read(''), first, second, end])
        if (seen !== JSON.stringify([['c,b,a', null], 'c,b', 'a', null])) throw new Error(seen)
        for (const query of ['?limit=0', '?limit=x', '?limit=1&limit=2', '?before=x'])
          expectAnswer(await operate(target, { path: `${REVOCATIONS}${query}` }), 400, 'malformed_request')
      },
    },
    {
      name: 'a body of another shape is 400',
      given: settings,
      steps: async (target) => {
        const bodies = [{}, { user_id: '' }, { user_id: '*' }, { user_id: 7 }, { user_id: 'x', jti: '' }, []]
        for (const body of [...bodies, { user_id: 'x', more: 1 }, { user_id: 'x', reason: 'x'.repeat(257) }])
          expectAnswer(await operate(target, { method: 'POST', path: REVOCATIONS, body }), 400, 'malformed_request')
      },
    },
    ...(
      [
        { method: 'POST', path: REVOCATIONS, body: { user_id: 'x' } },
        { path: REVOCATIONS },
        { method: 'DELETE', path: `${REVOCATIONS}/x` },
      ] as const
    ).flatMap((send): Case[] => {
      const what = `${'method' in send ? send.method : 'GET'} ${send.path}`
      return [
        {
          name: `${what} needs the scope`,
          given: settings,
          steps: async (target) =>
            expectAnswer(await operate(target, send, { scope: 'svc:act svc:users' }), 403, 'forbidden'),
        },
        {
          name: `${what} is 403 while security.delegation is off`,
          steps: async (target) => expectAnswer(await operate(target, send), 403, 'forbidden'),
        },
      ]
    }),
  ],
  absent: [
    {
      name: 'nobody can be revoked',
      send: { method: 'POST', path: REVOCATIONS, body: { user_id: 'x' } },
      expect: { status: 401, body: { error: { code: 'credential_missing' } } },
    },
  ],
})
