/** The status of a node: the standing of its projects, and the pending deliveries. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { createSigner, signed } from '../../unit/sync/platforms.ts'
import { startDaemon, stopDaemons } from '../sync/daemon.ts'
import { get } from './caller.ts'

test.after.each(stopDaemons)

interface Status {
  readonly outbox: { readonly pending: number; readonly oldestAtMs: number | null }
  readonly projects: readonly { readonly project: string; readonly revision: number; readonly frontier: object }[]
}

test('status counts pending deliveries, and gives the time of the oldest', async () => {
  const away = { deliver: () => Promise.reject(new Error('away')) }
  const daemon = await startDaemon({ transport: away })
  const [alice, peer, other] = [createSigner(), createSigner(), createSigner()]
  await daemon.enrol(alice, ['kbd-control:demo', 'kbd-content:bare'])
  const statusOf = async (): Promise<Status> => (await get(daemon, '/api/v1/status')).json() as unknown as Status
  assert.equal((await statusOf()).outbox, { pending: 0, oldestAtMs: null })
  const push = async (targetEndpointIds: readonly string[]): Promise<PushReceipt> => {
    const reply = await daemon.push(signed(alice, { issuedAtMs: Date.now(), targetEndpointIds }))
    assert.is(reply.status, 201, reply.text)
    return reply.json() as unknown as PushReceipt
  }
  await push([])
  const first = await push([peer.hex, other.hex])
  await push([peer.hex])
  const { outbox, projects } = await statusOf()
  assert.equal(outbox, { pending: 3, oldestAtMs: first.createdAtMs })
  assert.equal(
    projects.map(({ project, revision, frontier }) => [project, revision, frontier]),
    [
      ['bare', 0, { heads: [] }],
      ['demo', 0, { heads: [] }],
    ],
    'pushes do not change the frontier of commands',
  )
})

test.run()
