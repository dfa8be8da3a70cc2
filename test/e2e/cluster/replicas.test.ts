/** Runs with a copy on each of three NATS servers: one server is killed, and no acknowledged event is missing. */
import { connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type StreamInfo, streamInfo } from '../../../plugins/cluster/nats/jetstream.ts'
import { BASES, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { noReplicas } from '../../../scripts/cluster/engines.ts'
import type { NatsServer } from '../../../scripts/cluster/nats-server.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { testUnless } from '../../support/skip.ts'
import { startNatsServers } from './nats-servers.ts'
import { waitForServers } from './old-servers.ts'
import { type Cluster, noCluster, startCluster, until } from './rig.ts'
import { type Follower, followRun } from './run-reader.ts'

const test = suite('cluster: three servers of NATS')

const missing = noCluster ?? noReplicas

let servers: readonly NatsServer[] = []
let cluster: Cluster
const readers: Follower[] = []

test.before(async () => {
  if (missing !== undefined) return
  servers = await startNatsServers(3)
  cluster = await startCluster(0)
})
test.after(async () => {
  for (const reader of readers) reader.close()
  await cluster?.stop()
  await Promise.all(servers.map((server) => server.stop()))
})

testUnless(
  test,
  missing,
  'with cluster.replicas 3 any one server may be killed: no acknowledged event is missing, and appends continue',
  async () => {
    const environment = {
      SVC_CLUSTER__NATS_URL: servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
      SVC_CLUSTER__REPLICAS: '3',
    }
    await Promise.all([cluster.join(environment), cluster.join(environment)])
    const as = tokenFor({ user: 'ann', tenant: 'acme' })
    const make = () => cluster.send('/api/svc/runs', { method: 'POST', as, body: { run_id: 'kept' } })
    let epoch = ''
    await until(
      'the servers have found each other',
      async () => {
        const { status, body } = await make()
        epoch = String(body['epoch'])
        return status === 201
      },
      60_000,
    )
    /** The state of a stream; undefined while the servers do not answer, as shortly after one of them is lost. */
    const infoOf = async (stream: string): Promise<StreamInfo | undefined> => {
      const nats = await connect({ servers: servers.map(({ port }) => `127.0.0.1:${port}`) })
      try {
        return await streamInfo(nats, stream).catch(() => undefined)
      } finally {
        await nats.close()
      }
    }
    const leaderOf = async (): Promise<string | undefined> => (await infoOf(RUNS))?.cluster?.leader
    /** Whether all copies of a stream are there and have everything. */
    const isWhole = async (stream: string): Promise<boolean> => {
      const { leader, replicas = [] } = (await infoOf(stream))?.cluster ?? {}
      return leader !== undefined && replicas.filter(({ current, offline }) => current && offline !== true).length === 2
    }
    for (const stream of [RUNS, BASES]) assert.is((await infoOf(stream))?.config['num_replicas'], 3, stream)

    let acknowledged = 0
    /** Appends as a client that wants each event once, through a node that the first reader does not use. */
    const say = async (event: object): Promise<void> => {
      const headers = { 'if-match': `"${epoch}-${acknowledged}"` }
      await until(
        `event ${acknowledged + 1}`,
        async () =>
          (await cluster.send('/api/svc/runs/kept/events', { method: 'POST', as, body: event, headers, node: 1 }))
            .status === 200,
        60_000,
      )
      acknowledged++
    }
    await say({ type: 'RUN_STARTED', threadId: 't', runId: 'r' })
    const follow = (node: number): Follower => {
      const reader = followRun(cluster.nodes[node]!.base, 'kept', as)
      readers.push(reader)
      return reader
    }
    const reader = follow(0)
    const allRead = async ({ ids }: Follower): Promise<void> => {
      await until('all is read', async () => ids.length >= acknowledged, 60_000).catch(() => undefined)
      assert.equal(
        ids,
        Array.from({ length: acknowledged }, (_, index) => `${epoch}-${index + 1}`),
      )
    }
    const { base } = cluster.nodes[0]!
    const sampleOf = async (metric: string): Promise<number> => {
      const [, value] = new RegExp(`^${metric} (\\S+)$`, 'm').exec(await (await fetch(`${base}/metrics`)).text()) ?? []
      return Number(value)
    }
    // The node counts a change of leaders from the first leader that it saw.
    await until('the node knows the leader', async () => (await sampleOf('svc_cluster_run_consumers')) >= 1, 60_000)
    for (const which of ['leads', 'follows']) {
      for (let n = 0; n < 5; n++) await say({ type: 'CUSTOM', name: String(acknowledged), value: null })
      let leader: string | undefined
      await until('the stream has a leader', async () => (leader = await leaderOf()) !== undefined, 60_000)
      const server = servers.find((_, index) => (which === 'leads') === (`s${index}` === leader))!
      await server.kill()
      for (let n = 0; n < 5; n++) await say({ type: 'CUSTOM', name: String(acknowledged), value: null })
      await allRead(reader)
      server.start()
      // Any one server may be away, so the next one is killed when this one has everything again.
      await waitForServers(
        60_000,
        (limitMs) =>
          until('all copies are whole', async () => (await isWhole(RUNS)) && (await isWhole(BASES)), limitMs),
        () => server,
      )
    }
    // What the panels of the dashboard show.
    await until('a leader was killed', async () => (await sampleOf('svc_cluster_leader_changes_total')) >= 1, 60_000)
    // One for all runs, and one for the run that is read here.
    assert.ok((await sampleOf('svc_cluster_run_consumers')) >= 2)
    await until('nothing is missing here', async () => (await sampleOf('svc_cluster_run_lag')) === 0, 60_000)
    await until('keys are recent', async () => (await sampleOf('svc_cluster_key_age_seconds')) < 2, 60_000)
    for (const one of [reader, follow(1)]) await allRead(one)
  },
)

test.run()
