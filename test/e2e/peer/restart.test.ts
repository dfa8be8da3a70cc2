/** What a node has seen of its peers survives a restart of the node. */
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFolder, createSigner } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { type Node, startNode } from './nodes.ts'

const test = suite('peers after a restart')
test.after.each(stopDaemons)
const alice = createSigner()

test('when a peer was seen, its projects and its frontier are known after a restart, and how it stands now is not', async () => {
  const folder = createFolder()
  const start = (): Promise<Node> => startNode({ folder, given: { 'peer.pull_interval_ms': 3_600_000 } })
  let one = await start()
  const two = await startNode()
  for (const node of [one, two]) await node.enrol(alice, ['kbd-control:demo'])
  await one.act(alice, { type: 'board.create', boardId: randomUUID(), title: 'Release' })
  await one.enter(two, { label: 'lamp', projects: ['demo', 'later'] })
  await two.enter(one)
  const { pushId } = await one.pushTo(alice, [two])
  await one.until(pushId, ({ perPeer }) => perPeer[two.id]?.state === 'applied')
  const [before] = await one.peers()
  assert.is(before!.state, 'connected')
  await two.stop()
  await one.stop()

  one = await start()
  const [after] = await one.peers()
  assert.is(after!.state, 'never', 'no exchange since the start')
  assert.ok(after!.lastSeenAtMs !== null && after!.lastSeenAtMs >= before!.lastSeenAtMs!)
  assert.equal(after!.allowedProjects, ['demo', 'later'])
  assert.equal(after!.projects, before!.projects)
  assert.is(after!.projects['demo']!.behind, 0)

  await one.registry.remove(two.id)
  await one.enter(two)
  assert.is((await one.peers())[0]!.endpointId, two.id)
})

test.run()
