/** The contract of the guard of the runtime surface. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'
import { NOWHERE } from '../contract-tokens.ts'

const missing = {
  status: 401,
  headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer realm="svc"' },
  body: { error: { code: 'credential_missing' } },
} as const

/** The contract of feature `auth.guard`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'no credential is 401 before anything is routed',
      send: { path: NOWHERE },
      expect: missing,
    },
    {
      name: 'another scheme is no credential',
      send: { path: NOWHERE, headers: { authorization: 'Basic YWRhOmFkYQ==' } },
      expect: missing,
    },
    {
      name: 'a credential that is not valid gets the challenge that says so',
      send: { path: NOWHERE, headers: { authorization: 'Bearer rubbish' } },
      expect: { status: 401, headers: { 'www-authenticate': 'Bearer realm="svc", error="invalid_token"' } },
    },
    {
      name: 'with required mode off a request without a credential is anonymous',
      given: { 'security.jwt_required': false },
      send: { path: NOWHERE },
      expect: { status: 404, headers: { 'www-authenticate': null }, body: { error: { code: 'not_found' } } },
    },
    {
      name: 'with required mode off a credential that is not valid counts as none',
      given: { 'security.jwt_required': false },
      send: { path: NOWHERE, headers: { authorization: 'Bearer rubbish' } },
      expect: { status: 404 },
    },
    ...['/health/', '/%68ealth', '/x/../health', '//health', '/metrics/'].map(
      (path): Case => ({
        name: `${path} does not bypass authentication`,
        send: { path },
        expect: missing,
      }),
    ),
    {
      name: 'what a client sends as a credential is not sent back and not logged',
      steps: async (target) => {
        const secret = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXBheWxvYWQ.c2VjcmV0LXNpZ25hdHVyZQ'
        const answer = await target.request({ path: NOWHERE, headers: { authorization: `Bearer ${secret}` } })
        if (answer.status !== 401) throw new Error(`expected 401, got ${answer.status}`)
        for (const part of secret.split('.')) {
          if (answer.text.includes(part)) throw new Error('the answer repeats the credential')
          if (target.logs().includes(part)) throw new Error('the log repeats the credential')
        }
      },
    },
  ],
  absent: [
    {
      name: 'without a guard nobody comes in',
      send: { path: NOWHERE, headers: { authorization: 'Bearer rubbish', 'x-api-key': 'rubbish' } },
      expect: { status: 401, headers: { 'www-authenticate': /^Bearer realm="svc"/ } },
    },
  ],
})
