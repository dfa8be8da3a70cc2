/** The contract of keys on PostgreSQL for a client of one node. test/e2e/cluster tests several nodes. */
import { type Contract, defineContract } from '../../../core/testing/contract.ts'

const url = 'postgres://svc@127.0.0.1:9/svc'

/** The contract of feature `cluster.postgres`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /readyz has a row for PostgreSQL, without which the node is not ready',
      send: { path: '/readyz' },
      expect: { status: 200, body: { checks: { postgres: { status: 'ok', required: true } } } },
    },
    {
      name: 'with PostgreSQL away the node is alive, and says that it is not ready',
      given: { 'cluster.postgres_url': url },
      steps: async (target) => {
        const [alive, ready] = [await target.request({ path: '/health' }), await target.request({ path: '/readyz' })]
        const { checks } = ready.json() as { checks: Readonly<Record<string, { status: string }>> }
        const seen = [alive.status, ready.status, checks['postgres']?.status]
        if (seen.join() !== '200,503,failed') throw new Error(`it answered ${seen.join()}`)
      },
    },
    {
      name: 'with PostgreSQL away a key that nobody knows yet is 503 with Retry-After, never a pass',
      given: { 'cluster.postgres_url': url },
      // Well-formed, with the right checksum.
      send: { path: '/api/svc/runs', headers: { 'x-api-key': `svc_${'0'.repeat(16)}_${'0'.repeat(43)}0uW8RI` } },
      expect: { status: 503, headers: { 'retry-after': '1' }, body: { error: { code: 'overloaded' } } },
    },
    {
      name: 'without an exchange secret, or with a short one, it does not start',
      call: 'createRuntime',
      with: [
        {
          settings: {
            security: { jwt_secret: 'x'.repeat(32), exchange_secret: 'short' },
            cluster: { postgres_url: url },
          },
        },
      ],
      throws: { code: 'ERR_SETTINGS_INVALID', message: /security\.exchange_secret/ },
    },
  ],
  absent: [
    {
      name: 'the address of a PostgreSQL is refused with the names of the profiles that take it',
      refuses: { 'cluster.postgres_url': url },
    },
  ],
})
