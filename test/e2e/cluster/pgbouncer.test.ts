/** API keys through a real PgBouncer in transaction mode. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Engine } from '../../../scripts/cluster/engines.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { testUnless } from '../../support/skip.ts'
import { noPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'

const test = suite('cluster: PgBouncer')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster ?? noPgBouncer, name, work)

const KEYS = '/api/svc/auth/keys'
const RUNS = '/api/svc/runs'
const NODES = [0, 1]

let cluster: Cluster
let bouncer: Engine
let owners: readonly string[]

test.before(async () => {
  if ((noCluster ?? noPgBouncer) !== undefined) return
  cluster = await startCluster(0)
  bouncer = await startPgBouncer(cluster.postgres)
  // On a busy machine a transaction that waits for its turn may take longer than the default.
  const settings = { SVC_CLUSTER__POSTGRES_URL: bouncer.url, SVC_CLUSTER__POSTGRES_TIMEOUT_MS: '4000' }
  for (const _ of NODES) await cluster.join(settings)
  owners = Array.from({ length: 12 }, (_, n) => tokenFor({ user: `user ${n}`, tenant: 'acme' }))
})
test.after(async () => {
  await cluster?.stop()
  await bouncer?.stop()
})

const make = async (as: string) => {
  const { status, body } = await cluster.send(KEYS, { method: 'POST', as, body: { name: 'k' } })
  return { status, key: String(body['key']), id: (body['record'] as { id: string } | undefined)?.id ?? '' }
}

it('under load every creation and revocation succeeds, and a revoked key is refused on each node', async () => {
  const statuses: number[] = []
  const revoked = await Promise.all(
    owners.map(async (as) => {
      for (let n = 0; n < 10; n++) {
        const { status, key, id } = await make(as)
        const used = await cluster.send(RUNS, { key })
        const ended = await cluster.send(`${KEYS}/${id}`, { method: 'DELETE', as })
        statuses.push(status, used.status, ended.status)
        if (n === 9) return key
      }
      return ''
    }),
  )
  assert.equal([...new Set(statuses)].sort(), [200, 201, 204])
  for (const key of revoked)
    for (const node of NODES)
      await until('it is refused', async () => (await cluster.send(RUNS, { key, node })).status === 401, 60_000)
})

it('after PostgreSQL was away behind PgBouncer nodes are ready again, and serve keys', async () => {
  const { key } = await make(owners[0]!)
  const ready = async (status: number): Promise<void> => {
    for (const node of NODES)
      await until(`${status}`, async () => (await cluster.send('/readyz', { node })).status === status, 60_000)
  }
  await cluster.postgres.kill()
  await ready(503)
  const refused = await make(owners[0]!)
  assert.is(refused.status, 503)
  await cluster.postgres.start()
  await ready(200)
  for (const node of NODES) assert.is((await cluster.send(RUNS, { key, node })).status, 200)
})

test.run()
