/** Budgets that are counted by address count the network of one client. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../../core/declare/plugin.ts'
import { networkOf } from '../../../../core/http/client-address.ts'
import type { PeerConnection } from '../../../../plugins/peer/api.ts'
import { createStrangers } from '../../../../plugins/peer/core/pairing/strangers.ts'
import type {} from '../../../../plugins/realtime/capabilities.ts'
import type { Streams } from '../../../../plugins/realtime/streams/api.ts'
import { feature as streams } from '../../../../plugins/realtime/streams/feature.ts'
import { compose } from '../../../support/kernels.ts'
import { makeRequest } from '../../../support/requests.ts'
import { failure } from '../../../support/throws.ts'

const test = suite('core: networks')

test('a network is an IPv4 address, or the first half of an IPv6 address', () => {
  for (const [address, network] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::', 'fe80:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['', ''],
  ] as const) {
    assert.is(networkOf(address), network, address)
  }
})

test('anonymous streams count by network', async () => {
  let keeper: Streams | undefined
  const taker: Plugin = definePlugin({
    name: 'taker',
    feature: 'taker',
    requires: ['Streams'],
    setup: (ctx) => {
      keeper = ctx.use('Streams')
    },
  })
  const kernel = compose([streams, taker], { given: { 'realtime.max_streams_per_identity': 2 } })
  await kernel.start()
  const open = (address: string): unknown =>
    keeper!.admit(makeRequest('/', { peer: { transport: 'tcp', address } }), { name: 'live', log: false })
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '::ffff:192.0.2.1', '192.0.2.1'])
    open(address)
  for (const address of ['2001:db8::3', '192.0.2.1']) failure('rate_limited', () => open(address))
  await kernel.stop()
})

test('connections of nodes that pair count by network', async () => {
  const clock = { now: () => 0, monotonic: () => 0, setTimeout: () => 0, clearTimeout: () => {} }
  const connect = (address: string): PeerConnection => ({
    transport: 'peer',
    address,
    endpointId: 'e'.repeat(64),
    bytesRead: 0,
    destroy: () => {},
  })
  const strangers = createStrangers(async () => true, clock, 1_000)
  const admitted = []
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'])
    admitted.push(await strangers.admit(connect(address)))
  assert.equal(admitted, [true, true, false, true, true, false])
  const visits = createStrangers(async () => true, clock, 1_000)
  let count = 0
  for (let host = 1; host <= 20; host++) {
    const connection = connect(`2001:db8::${host}`)
    if (await visits.admit(connection)) count++
    visits.left(connection)
  }
  assert.is(count, 10, 'in a minute')
})

test.run()
