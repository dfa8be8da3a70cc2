/** A dishonest target of a push forwards it to another target. Its forgeries must not block the origin. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PEER_VERSION } from '../../plugins/peer/api.ts'
import { signCommand, signPush } from '../../plugins/protocol/sign/index.ts'
import type { Acknowledgement } from '../../plugins/sync/api.ts'
import { uuidOf } from '../unit/kbd/boards.ts'
import { PROJECT } from './client.ts'
import { during } from './deeds.ts'
import { keyOf } from './keys.ts'
import { createRun, type Run } from './run.ts'

const test = suite('simulation: a push by way of a liar')
const device = keyOf('d0')
const domain = `kbd-control:${PROJECT}`

/** Starts three nodes: the origin of a push, an honest target and a dishonest target. */
async function withNodes(work: (run: Run) => Promise<void>): Promise<void> {
  const run = await createRun(1, ['n0', 'n1', 'n4'])
  const { owners, world, judge } = run
  try {
    await during(world, judge, async () => {
      for (const node of owners.nodes) {
        await node.start()
        await owners.enrol(node, ['d0'])
        await owners.enter(node)
      }
      await work(run)
    })
    assert.equal(judge.violations, [])
  } finally {
    run.close()
  }
}

/** Submits a push to n1 in the name of another node, and returns the state of the acknowledgement or the status. */
async function submit(run: Run, from: string, push: unknown, commands: readonly unknown[], heads: readonly string[]) {
  const headers = { 'svc-peer-version': PEER_VERSION, 'content-type': 'application/json' }
  const body = JSON.stringify({ push, frontier: { heads }, commands })
  const exchange = { method: 'POST', path: '/api/v2/peer/pushes', headers, body } as const
  const answer = await run.network.exchange(from, 'n1', exchange, 10_000)
  const { ack } = JSON.parse(Buffer.from(answer.body).toString()) as { ack?: Acknowledgement }
  return ack?.state ?? answer.status
}

/** Creates a command that only n0 has, a push that pins the command, and a forged command. */
async function prepare({ owners, clients }: Run) {
  const [first] = owners.nodes
  await clients.write(first!, device, {
    command: { type: 'board.create', boardId: uuidOf(1), title: 'Board' },
  })
  const { id, body } = clients.all[0]!
  const command: unknown = JSON.parse(Buffer.from(body).toString())
  const targetEndpointIds = ['n1', 'n4'].map((name) => keyOf(name).endpointId)
  const push = await signPush(device, { domain, targetEndpointIds, issuedAtMs: first!.now() })
  const signed = await signCommand(device, {
    project: PROJECT,
    command: { type: 'board.create', boardId: uuidOf(2), title: 'x' },
    parents: [],
    issuedAtMs: first!.now(),
  })
  const forged = { ...signed, command: { ...signed.command, title: 'forged' } }
  return { id, command, push, forged }
}

/** The state of the push at n1, and how often it was executed there. */
async function stateAt({ owners }: Run, pushId: string) {
  const there = owners.nodes[1]!
  const { localState, origin } = await there.kernel.capability('Sync').receipt(pushId)
  const executed = there.disk.rows("SELECT 1 FROM audit WHERE kind = 'push' AND subject = ?", pushId).length
  return { localState, origin, executed }
}

test('a push is applied from its origin after a forged copy was rejected', () =>
  withNodes(async (run) => {
    const { id, command, push, forged } = await prepare(run)
    assert.is(await submit(run, 'n4', push, [forged], ['0'.repeat(64)]), 'rejected')
    assert.is(await submit(run, 'n0', push, [command], [id]), 'applied')
    const expected = { localState: 'applied_locally', origin: keyOf('n0').endpointId, executed: 1 }
    assert.equal(await stateAt(run, push.requestId), expected)
  }))

test('a push that waits for its commands is applied although a forged copy was rejected', () =>
  withNodes(async (run) => {
    const { id, command, push, forged } = await prepare(run)
    assert.is(await submit(run, 'n0', push, [], [id]), 'received')
    assert.is(await submit(run, 'n4', push, [forged], ['0'.repeat(64)]), 'rejected')
    assert.is((await stateAt(run, push.requestId)).localState, 'accepted')
    assert.is(await submit(run, 'n0', push, [command], [id]), 'applied')
    const expected = { localState: 'applied_locally', origin: keyOf('n0').endpointId, executed: 1 }
    assert.equal(await stateAt(run, push.requestId), expected)
    assert.is(await submit(run, 'n4', push, [], [id]), 'rejected')
    assert.equal(await stateAt(run, push.requestId), expected)
  }))

test.run()
