/** A push arrives on another node, which returns a signed acknowledgement. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { verifyAcknowledgement } from '../../../plugins/protocol/sign/index.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { startNode } from './nodes.ts'

test.after.each(stopDaemons)

const alice = createSigner()
const boardId = randomUUID()
const kinds = ({ events }: PushReceipt) => events.map(({ kind }) => kind)

test('a push is received and then applied, both nodes have the same board, and the next push takes one exchange', async () => {
  const [one, two] = [await startNode(), await startNode()]
  for (const node of [one, two]) await node.enrol(alice, ['kbd-control:demo'])
  await one.enter(two)
  await two.enter(one)
  const standing = await one.act(
    alice,
    { type: 'board.create', boardId, title: 'Release' },
    { type: 'board.update', boardId, title: 'Release 2' },
  )
  const { pushId } = await one.pushTo(alice, [two])
  const receipt = await one.until(pushId, ({ perPeer }) => perPeer[two.id]?.state === 'applied')
  assert.equal(kinds(receipt), [
    'accepted',
    'prepared',
    'applied_locally',
    'broadcast',
    'peer_received',
    'peer_applied',
  ])
  assert.equal(await two.standing(), standing)
  const record = receipt.perPeer[two.id]!
  assert.equal(record.appliedFrontier, standing.frontier)
  const ack = {
    context: 'svc-peer-ack-1',
    pushId,
    endpointId: two.id,
    canonicalPayloadHash: receipt.canonicalPayloadHash,
    state: 'applied',
    failure: null,
    appliedFrontier: record.appliedFrontier,
    auditHead: record.ack!.auditHead,
    signature: record.ack!.signature,
  }
  assert.is(await verifyAcknowledgement(ack, receipt), true)

  const there = await two.receipt(pushId)
  assert.equal([there.origin, there.perPeer, there.localState], [one.id, {}, 'applied_locally'])
  assert.equal(kinds(there), ['accepted', 'prepared', 'applied_locally'])
  assert.equal([there.frontier, there.revision], [standing.frontier, 2])

  await one.act(alice, { type: 'board.update', boardId, title: 'Release 3' })
  const next = await one.pushTo(alice, [two])
  const done = await one.until(next.pushId, ({ perPeer }) => perPeer[two.id]?.state === 'applied')
  assert.equal(kinds(done), ['accepted', 'prepared', 'applied_locally', 'broadcast', 'peer_applied'])
  assert.equal(await two.standing(), await one.standing())
  const [figure] = await one.peers()
  assert.equal([figure!.state, figure!.transport, figure!.lastFailure], ['connected', 'tls', null])
  assert.equal(figure!.projects['demo'], { frontier: (await two.standing()).frontier, behind: 0, unknownHeads: 0 })
})

test.run()
