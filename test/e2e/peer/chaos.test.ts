/**
 * Whole exchanges are lost, lose their answer, or are delayed, sent twice or late. In the end every node has the same
 * board, every push is settled with a valid acknowledgement, and nothing was executed twice.
 */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import type { ListedCommand } from '../../../plugins/kbd/api.ts'
import type { Exchange, LinkError, PeerAnswer, PeerEntry } from '../../../plugins/peer/api.ts'
import { createLink } from '../../../plugins/peer/tls/link.ts'
import { verifyAcknowledgement } from '../../../plugins/protocol/sign/index.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { countOf } from '../../support/count.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { type Node, postJson, startNode } from './nodes.ts'

const ROUNDS = countOf({ quick: 5, deep: 40, variable: 'SVC_PEER_CHAOS' })
const alice = createSigner()
const boardId = randomUUID()

/** Random numbers from 0 to 1 from a seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A link over TLS with faults. */
function chaosPlugin(random: () => number, counts: Record<string, number>): Plugin {
  const lost = (): LinkError => Object.assign(new Error('it broke off.'), { code: 'unreachable' as const })
  return definePlugin({
    name: 'test.chaos',
    feature: 'test.chaos',
    requires: ['Peers', 'SyncShared'],
    setup(ctx) {
      const key = ctx.use('SyncShared').ownKey
      const link = createLink({ key, timeoutMs: 5_000, idleTimeoutMs: 5_000, maxConnections: 4 })
      const late: Promise<unknown>[] = []
      const wait = (): Promise<void> => new Promise((done) => setTimeout(done, random() * 30))
      const exchange = async (entry: PeerEntry, one: Exchange): Promise<PeerAnswer> => {
        const fate = Math.floor(random() * 12)
        const name = ['lost', 'answer lost', 'held up', 'twice', 'late'][fate] ?? 'whole'
        counts[name] = (counts[name] ?? 0) + 1
        if (name === 'lost') throw lost()
        if (name === 'held up') await wait()
        if (name === 'twice') await link.exchange(entry, one).catch(() => undefined)
        if (name === 'late') {
          // The caller gives up, and the exchange arrives after later ones.
          late.push(wait().then(() => link.exchange(entry, one).catch(() => undefined)))
          throw lost()
        }
        const answer = await link.exchange(entry, one)
        if (name === 'answer lost') throw lost()
        return answer
      }
      ctx.use('Peers').addLink({ name: 'chaos', reaches: () => true, exchange })
      ctx.onStop(async () => {
        await Promise.all(late)
        link.close()
      })
    },
  })
}

const commandsOf = async (node: Node): Promise<readonly ListedCommand[]> =>
  (
    (await node.send({ path: '/api/v1/kbd/projects/demo/commands?limit=1000' })).json() as unknown as {
      commands: ListedCommand[]
    }
  ).commands
const isSettled = ({ targets, perPeer }: PushReceipt): boolean =>
  targets.every((target) => ['applied', 'rejected'].includes(perPeer[target]?.state ?? ''))

test(`three nodes, ${ROUNDS} rounds of commands and pushes with faulty exchanges: all nodes agree in the end`, async () => {
  const counts: Record<string, number> = {}
  const given = { 'sync.retry_first_ms': 5, 'sync.retry_max_ms': 40 }
  const nodes: Node[] = []
  for (let i = 0; i < 3; i++) nodes.push(await startNode({ given }, [chaosPlugin(chance(4_711 + i), counts)]))
  for (const node of nodes) {
    await node.enrol(alice, ['kbd-control:demo'])
    for (const other of nodes) if (other !== node) await node.enter(other)
  }
  const others = (node: Node): readonly Node[] => nodes.filter((one) => one !== node)
  await nodes[0]!.act(alice, { type: 'board.create', boardId, title: 'Release' })
  const first = await nodes[0]!.pushTo(alice, others(nodes[0]!))
  await nodes[0]!.until(first.pushId, isSettled)
  const pushes: [Node, string][] = [[nodes[0]!, first.pushId]]
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      nodes.map(async (node, i) => {
        await node.act(alice, { type: 'board.update', boardId, title: `${round} of ${i}` })
        pushes.push([node, (await node.pushTo(alice, others(node))).pushId])
      }),
    )
  }
  for (const [node, pushId] of pushes) await node.until(pushId, isSettled)
  // A push or a pull in each direction gives all nodes the same frontier.
  for (const node of nodes)
    for (const other of others(node))
      for (let tries = 0; ; tries++) {
        const pulled = await postJson(node, `/api/v1/peers/${other.id}/pull`, { project: 'demo' })
        if (pulled.status === 200) break
        assert.is(pulled.json().error?.code, 'peer_delivery_failed', pulled.text)
        assert.ok(tries < 50)
      }
  const standing = await nodes[0]!.standing()
  for (const node of nodes) {
    assert.equal(await node.standing(), standing)
    const ids = (await commandsOf(node)).map(({ id }) => id)
    assert.is(new Set(ids).size, ids.length)
    assert.is(ids.length, 1 + 3 * ROUNDS, 'each command once')
    assert.equal((await node.send({ path: '/api/v1/audit/verify' })).json()['ok'], true)
  }
  for (const [node, pushId] of pushes) {
    const receipt = await node.receipt(pushId)
    for (const [endpointId, { state, failure, appliedFrontier, ack }] of Object.entries(receipt.perPeer)) {
      assert.is(state, 'applied')
      const { auditHead, signature } = ack!
      const { canonicalPayloadHash } = receipt
      const word = {
        context: 'svc-peer-ack-1',
        pushId,
        endpointId,
        canonicalPayloadHash,
        state,
        failure,
        appliedFrontier,
        auditHead,
        signature,
      }
      assert.is(await verifyAcknowledgement(word, receipt), true)
      assert.is(receipt.events.filter(({ kind, peer }) => kind === 'peer_applied' && peer === endpointId).length, 1)
    }
    for (const other of others(node)) {
      const there = await other.receipt(pushId)
      assert.equal([there.localState, there.origin], ['applied_locally', node.id])
      assert.is(there.events.length, 3)
    }
  }
  for (const name of ['lost', 'answer lost', 'held up', 'twice', 'late', 'whole']) assert.ok(counts[name]! > 0, name)
  for (const node of nodes) await node.stop()
})

test.run()
