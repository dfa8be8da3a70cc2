/** Determines whether the leader of a stream reaches a majority of its servers. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hasMajority, type StreamInfo, type StreamReplica } from '../../../plugins/cluster/nats/jetstream.ts'

const info = (...replicas: readonly Partial<StreamReplica>[]): StreamInfo => ({
  ...{ created: '', config: { max_bytes: 1 }, state: { first_seq: 1, last_seq: 0, bytes: 0 } },
  cluster: { leader: 's0', replicas: replicas.map((replica) => ({ current: true, ...replica })) },
})

test('a leader without contact to enough servers for 3 s may be outdated', () => {
  for (const [given, wanted] of [
    [info(), true],
    [info({ active: 4e8 }, { active: 9e8 }), true],
    [info({ active: 4e8 }, { active: 9e9 }), true],
    [info({ active: 4e8 }, { active: 4e8, offline: true }), true],
    [info({ active: 3e9 }, { active: 9e9 }), false],
    [info({ active: 9e9 }, { active: 4e8, offline: true }), false],
    [info({ active: 4e9 }), false],
    [info({ active: 1e9 }, { active: 4e9 }, { active: 4e9 }, { active: 4e9 }), false],
  ] as const)
    assert.is(hasMajority(given), wanted, JSON.stringify(given.cluster))
})

test('an answer of a server that does not lead may be outdated', () => {
  assert.ok(hasMajority(info({ name: 's1' }, { name: 's2' })))
  assert.not.ok(hasMajority(info({ name: 's0' }, { name: 's2' })))
})

test('a stream on one server has a majority, and a stream without a leader has none', () => {
  const { cluster, ...alone } = info()
  assert.ok(cluster !== undefined && hasMajority(alone))
  assert.not.ok(hasMajority({ ...alone, cluster: { replicas: [{ current: true }, { current: true }] } }))
})

test.run()
