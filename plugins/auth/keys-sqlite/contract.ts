/** What durable API keys promise; test/e2e/power-cut.test.ts kills the service. */
import { type Contract, defineContract, printsAtLast } from '../../../core/testing/contract.ts'
import { createKey } from '../api-keys/contract.ts'
import { expectAnswer, mint, NOWHERE, withToken } from '../contract-tokens.ts'

const KEYS = '/api/svc/auth/keys'

/** The contract of feature `auth.keys-sqlite`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'security.key_store sqlite: keys are created, listed, used and revoked as in memory',
      given: { 'security.key_store': 'sqlite' },
      steps: async (target) => {
        const sub = `ada-${crypto.randomUUID()}`
        const { key, record } = await createKey(target, { scopes: ['a'] }, sub)
        const use = () => target.request({ path: NOWHERE, headers: { 'x-api-key': key } })
        expectAnswer(await use(), 404, 'not_found')
        const listed = await withToken(target, await mint({ sub }), { path: KEYS })
        expectAnswer(listed, 200)
        if (!listed.text.includes(record.id)) throw new Error(`the key is not listed: ${listed.text}`)
        const path = `${KEYS}/${record.id}`
        expectAnswer(await withToken(target, await mint({ sub }), { method: 'DELETE', path }), 204)
        expectAnswer(await use(), 401, 'api_key_invalid')
      },
    },
    {
      name: 'svc store info counts API keys',
      needs: ['sync.api'],
      dialogue: printsAtLast(
        [
          ['device', 'list'],
          ['store', 'info'],
        ],
        /^keys\t0$/m,
      ),
    },
  ],
  absent: [
    {
      name: 'security.key_store is refused with the names of the profiles that have it',
      refuses: { 'security.key_store': 'sqlite' },
    },
  ],
})
