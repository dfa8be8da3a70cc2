/** The contract of the keys of an identity provider, as far as it can be tested without a provider that answers. */
import { type Contract, defineContract } from '../../../core/testing/contract.ts'
import { CONTRACT_SECRET, expectAnswer, mint, withToken } from '../contract-tokens.ts'

// Nothing listens on port 1 of this machine; only an administrator could open it.
const settings = { 'security.jwks_url': 'http://127.0.0.1:1/jwks.json', 'security.jwt_secret': CONTRACT_SECRET }

/** The contract of feature `auth.jwks`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'with a JWKS a token of the shared secret is refused',
      given: settings,
      steps: async (target) => expectAnswer(await withToken(target, await mint()), 401, 'token_algorithm_rejected'),
    },
    {
      name: 'a token that names no key is refused',
      given: settings,
      steps: async (target) =>
        expectAnswer(await withToken(target, await mint({}, { alg: 'RS256' })), 401, 'jwks_key_unknown'),
    },
    {
      name: 'while the JWKS was never read a token is refused, each time',
      given: settings,
      steps: async (target) => {
        for (const kid of ['a', 'a', 'b']) {
          const token = await mint({}, { alg: 'RS256', kid })
          expectAnswer(await withToken(target, token), 401, 'jwks_unavailable')
        }
      },
    },
    {
      name: 'an issuer counts as a JWKS: no other token is accepted, and while it was never read none',
      given: { 'security.oidc_issuer': 'http://127.0.0.1:1', 'security.jwt_secret': CONTRACT_SECRET },
      steps: async (target) => {
        expectAnswer(await withToken(target, await mint()), 401, 'token_algorithm_rejected')
        const token = await mint({ iss: 'http://127.0.0.1:1' }, { alg: 'RS256', kid: 'a' })
        expectAnswer(await withToken(target, token), 401, 'jwks_unavailable')
      },
    },
    {
      name: 'with required mode off it counts as none',
      given: { ...settings, 'security.jwt_required': false },
      steps: async (target) => {
        expectAnswer(await withToken(target, await mint({}, { alg: 'RS256', kid: 'a' })), 404)
      },
    },
  ],
  absent: [
    {
      name: 'no RS256 token is accepted',
      steps: async (target) => {
        const answer = await withToken(target, await mint({}, { alg: 'RS256', kid: 'a' }))
        if (answer.status !== 401) throw new Error(`expected 401, got ${answer.status}`)
      },
    },
  ],
})
