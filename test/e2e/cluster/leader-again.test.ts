/** A server of NATS that leads the stream of the runs again after others did: it takes appends at once. */
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

/** Messages that NATS refuses before, and appends that it takes under the other leaders: fewer. */
const REFUSED = 150
const WRITTEN = 60

/** How long an election may take, in milliseconds. */
const ELECTED_MS = 30_000

/**
 * How long a node may take to append through the server that leads again, in milliseconds. Without probes each append gives the server
 * one number more and waits 2 s for its answer, so it takes two minutes.
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

/** Lets the servers elect another leader until it is one that is wanted. */
const elect = (isWanted: (name: string) => boolean): Promise<number> =>
  until(
    'the leader that is wanted',
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

testUnless(test, noNats, 'appends are taken within seconds, whatever was refused before', async () => {
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
  await until('all that follow', async () => (await append()) && seq > WRITTEN + 20, ELECTED_MS)
  assert.equal(await ledger.problems(0), [])
  assert.ok(ms < TAKEN_MS)
})

test.run()
