/**
 * A NATS server becomes the leader of the stream of the runs again, after other leaders. It accepts appends at once.
 */
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { streamInfo } from '../../../plugins/cluster/nats/jetstream.ts'
import { RUNS } from '../../../plugins/cluster/nats/names.ts'
import { noNats } from '../../../scripts/cluster/engines.ts'
import { Ledger } from '../../../scripts/cluster/ledger.ts'
import type { NatsServer } from '../../../scripts/cluster/nats-server.ts'
import { testUnless } from '../../support/skip.ts'
import { startNatsServers } from './nats-servers.ts'
import { entranceOf } from './node-entrance.ts'
import { until } from './rig.ts'
import { type RunNode, startRunNode } from './run-nodes.ts'

const test = suite('cluster: a server of NATS leads again')

/** The number of messages that NATS refuses first, and the smaller number of appends under the other leaders. */
const REFUSED = 150
const WRITTEN = 60

/** How long an election may take, in milliseconds. */
const ELECTED_MS = 30_000

/**
 * How long a node may take to append through the returned leader, in milliseconds. Without probes each append raises
 * the server's number by one and waits 2 s for its answer, which takes two minutes in total.
 */
const TAKEN_MS = 20_000

let servers: readonly NatsServer[] = []
let node: RunNode

test.before(async () => {
  if (noNats !== undefined) return
  servers = await startNatsServers(3)
  node = await startRunNode(
    servers.map(({ port }) => port),
    { replicas: 3 },
  )
})
test.after(async () => {
  await node?.stop()
  await Promise.all(servers.map((server) => server.stop()))
})

const nats = (): NatsConnection => {
  assert.ok(node.connection !== undefined, 'connected')
  return node.connection
}

const leader = async (): Promise<string | undefined> =>
  (await streamInfo(nats(), RUNS).catch(() => undefined))?.cluster?.leader

/** Makes the servers elect leaders until the leader is a wanted one. */
const elect = (isWanted: (name: string) => boolean): Promise<number> =>
  until(
    'a wanted leader is elected',
    async () => {
      const name = await leader()
      if (name !== undefined && isWanted(name)) return true
      await nats()
        .request(`$JS.API.STREAM.LEADER.STEPDOWN.${RUNS}`, '', { timeout: 2_000 })
        .catch(() => undefined)
      await until('a leader', async () => (await leader()) !== undefined, ELECTED_MS)
      return false
    },
    4 * ELECTED_MS,
  )

testUnless(test, noNats, 'a returned leader accepts appends within seconds, whatever it refused before', async () => {
  const ledger = new Ledger([entranceOf(node)])
  const epoch = await ledger.begin('r')
  let seq = 1
  const append = async (): Promise<boolean> => {
    const isWritten = (await ledger.append(0, 'r', `event ${seq}`, `"${epoch}-${seq}"`)) === 'written'
    if (isWritten) seq++
    return isWritten
  }
  const first = await leader()
  assert.ok(first !== undefined, 'the stream has a leader')
  const same = headers()
  same.set('Nats-Msg-Id', 'the same')
  for (let n = 0; n < REFUSED; n++) await nats().request('svc.run.other', '', { headers: same, timeout: ELECTED_MS })
  await elect((name) => name !== first)
  await until('the others have led', async () => (await append()) && seq > WRITTEN, ELECTED_MS)
  await elect((name) => name === first)
  const ms = await until('an append', append, TAKEN_MS)
  assert.is(await leader(), first)
  await until('all following appends succeed', async () => (await append()) && seq > WRITTEN + 20, ELECTED_MS)
  assert.equal(await ledger.problems(0), [])
  assert.ok(ms < TAKEN_MS)
})

test.run()
