/** The contract of bearer tokens that are signed with the shared secret. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'
import { CONTRACT_SECRET, expectAnswer, mint, withToken } from '../contract-tokens.ts'

const settings = {
  'security.jwt_issuer': 'https://issuer.example',
  'security.jwt_audience': 'svc-contract',
}

/** Settings that accept more tokens, for three cases. Their tokens are signed with the previous secret. */
const lenient = {
  ...settings,
  'security.jwt_secret': 'another secret of the contract cases, of 32 bytes',
  'security.jwt_secret_previous': [CONTRACT_SECRET],
  'security.jwt_validate_nbf': false,
  'security.jwt_leeway_seconds': 60,
}
const good = { iss: 'https://issuer.example', aud: 'svc-contract' }

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset

interface Refused {
  readonly name: string
  readonly claims?: () => Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, string>>
  readonly change?: (token: string) => string
  readonly code: string
}

const refused: readonly Refused[] = [
  { name: 'an expired token', claims: () => ({ exp: seconds(-1) }), code: 'token_expired' },
  { name: 'a token without exp', claims: () => ({ exp: undefined }), code: 'token_claims_invalid' },
  { name: 'a token whose exp is a text', claims: () => ({ exp: String(seconds(60)) }), code: 'token_claims_invalid' },
  { name: 'a token from the future', claims: () => ({ nbf: seconds(60) }), code: 'token_not_yet_valid' },
  { name: 'a token whose nbf is a text', claims: () => ({ nbf: '0' }), code: 'token_claims_invalid' },
  { name: 'a token of another issuer', claims: () => ({ iss: 'https://other' }), code: 'token_issuer_mismatch' },
  { name: 'a token without issuer', claims: () => ({ iss: undefined }), code: 'token_issuer_mismatch' },
  { name: 'a token for another audience', claims: () => ({ aud: ['other'] }), code: 'token_audience_mismatch' },
  { name: 'a token without audience', claims: () => ({ aud: undefined }), code: 'token_audience_mismatch' },
  { name: 'a token without sub', claims: () => ({ sub: undefined }), code: 'token_claims_invalid' },
  { name: 'a token with an empty sub', claims: () => ({ sub: '' }), code: 'token_claims_invalid' },
  { name: 'a tenant claim that is no text', claims: () => ({ tenant_id: 7 }), code: 'token_claims_invalid' },
  { name: 'a token of algorithm none', header: { alg: 'none' }, code: 'token_algorithm_rejected' },
  { name: 'a token of algorithm RS256', header: { alg: 'RS256' }, code: 'token_algorithm_rejected' },
  { name: 'a token with a critical extension', header: { crit: 'x' }, code: 'token_malformed' },
  { name: 'a padded token', change: (token) => `${token}=`, code: 'token_malformed' },
  { name: 'a token in two parts', change: (token) => token.replace(/\.[^.]*$/, ''), code: 'token_malformed' },
  {
    name: 'a token with another signature',
    change: (token) => token.replace(/[^.]*$/, (mac) => (mac.startsWith('A') ? 'B' : 'A') + mac.slice(1)),
    code: 'token_signature_invalid',
  },
]

/** The contract of feature `auth.jwt`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a valid token is accepted, again and again, in any case of the scheme',
      given: settings,
      steps: async (target) => {
        const token = await mint({ ...good, aud: ['x', good.aud], nbf: seconds(0), scope: 'a b' })
        for (const scheme of ['Bearer', 'Bearer', 'bearer', 'BEARER']) {
          const answer = await target.request({
            path: '/no-such-path',
            headers: { authorization: `${scheme} ${token}` },
          })
          expectAnswer(answer, 404, 'not_found')
        }
      },
    },
    ...refused.map(
      ({ name, claims, header, change, code }): Case => ({
        name: `${name} is refused`,
        given: settings,
        steps: async (target) => {
          const token = await mint({ ...good, ...claims?.() }, header)
          const answer = await withToken(target, change?.(token) ?? token)
          expectAnswer(answer, 401, code)
          if (answer.headers['www-authenticate'] !== 'Bearer realm="svc", error="invalid_token"') {
            throw new Error(`wrong challenge: ${answer.headers['www-authenticate']}`)
          }
        },
      }),
    ),
    {
      name: 'a token is refused from the second on in which it expires, however often it was accepted',
      given: settings,
      steps: async (target) => {
        const exp = seconds(2)
        const token = await mint({ ...good, exp })
        expectAnswer(await withToken(target, token), 404)
        await new Promise((resolve) => setTimeout(resolve, exp * 1000 - Date.now() + 5))
        expectAnswer(await withToken(target, token), 401, 'token_expired')
      },
    },
    {
      name: 'a changed text of an accepted token is refused',
      given: settings,
      steps: async (target) => {
        const token = await mint(good)
        expectAnswer(await withToken(target, token), 404)
        for (const text of [`${token}=`, `${token}.`, token.replace('.', '..')]) {
          expectAnswer(await withToken(target, text), 401, 'token_malformed')
        }
      },
    },
    {
      name: 'a token of a previous secret is accepted',
      given: lenient,
      steps: async (target) => {
        expectAnswer(await withToken(target, await mint(good)), 404)
        expectAnswer(await withToken(target, await mint({ ...good, exp: 1 })), 401, 'token_expired')
      },
    },
    {
      name: 'an invalid token is refused even if the request has an API key too',
      given: settings,
      steps: async (target) => {
        const send = { path: '/no-such-path', headers: { 'x-api-key': 'svc_x' } }
        expectAnswer(await withToken(target, await mint({ ...good, exp: 1 }), send), 401, 'token_expired')
        expectAnswer(await withToken(target, await mint(good), send), 404)
      },
    },
    {
      name: 'nbf is ignored if the settings say so',
      given: lenient,
      steps: async (target) => expectAnswer(await withToken(target, await mint({ ...good, nbf: seconds(600) })), 404),
    },
    {
      name: 'clocks may differ by the leeway',
      given: lenient,
      steps: async (target) => {
        expectAnswer(await withToken(target, await mint({ ...good, exp: seconds(-30) })), 404)
        expectAnswer(await withToken(target, await mint({ ...good, exp: seconds(-61) })), 401, 'token_expired')
      },
    },
  ],
  absent: [
    {
      name: 'no bearer token is accepted',
      steps: async (target) => {
        const answer = await withToken(target, await mint())
        if (answer.status !== 401) throw new Error(`expected 401, got ${answer.status}`)
      },
    },
  ],
})
