/** The load on the sync surface: pushes whose order shows what was lost or done twice. */
import { randomUUID } from 'node:crypto'
import { storagePath } from '../../plugins/sync/store-sqlite/file-store.ts'
import { pushOf, type Reply, sendTo } from '../e2e/sync/daemon.ts'
import { createServer, createSigner, type Signer, signed } from '../unit/sync/platforms.ts'
import type { Life } from './service.ts'
import { Wrong } from './tally.ts'

/** Pushes to projects, each expecting the head that the one before it left. */
export interface Lanes {
  /** One push in a lane, or the one again that has had no answer yet; its receipt and its events are read. */
  push(lane: number, life: Life, nowMs: number): Promise<void>
  /** Looks at all that was acknowledged. Gives how many pushes are gone, differ from what was answered, or were done twice. */
  check(life: Life): Promise<{ readonly acknowledged: number; readonly lost: number; readonly doubled: number }>
}

interface Lane {
  readonly project: string
  head: string | undefined
  unanswered: { readonly id: string; readonly body: Uint8Array } | undefined
}

/** Enrols a device in a store that is not open, for so many projects. */
export async function createLanes(state: string, count: number): Promise<Lanes> {
  const signer: Signer = createSigner()
  const lanes = Array.from(
    { length: count },
    (_, n): Lane => ({ project: `soak-${n}`, head: undefined, unanswered: undefined }),
  )
  const server = createServer({ path: storagePath(state) })
  await server.enrol(
    signer,
    lanes.map(({ project }) => `kbd-control:${project}`),
  )
  await server.close()
  const acknowledged = new Map<string, string>()
  let doubled = 0

  const requireStatus = (reply: Reply, ...wanted: readonly number[]): Reply => {
    if (wanted.includes(reply.status)) return reply
    throw new Wrong(`${reply.status} ${/"code":"(\w+)"/.exec(reply.text)?.[1] ?? ''}`, reply.text.slice(0, 200))
  }
  return {
    push: async (number, life, nowMs) => {
      const lane = lanes[number]!
      const at = { socketPath: life.socketPath }
      const expectedFrontier = { heads: lane.head === undefined ? [] : [lane.head] }
      const id = lane.unanswered?.id ?? randomUUID()
      lane.unanswered ??= {
        id,
        body: signed(signer, {
          requestId: id,
          domain: `kbd-control:${lane.project}`,
          expectedFrontier,
          issuedAtMs: nowMs,
        }),
      }
      const reply = await sendTo(at, pushOf(lane.unanswered.body))
      // Not taken, and never will be: the clock went somewhere else meanwhile.
      if (reply.status === 422) lane.unanswered = undefined
      requireStatus(reply, 201, 200)
      // A push that was done twice, or without its receipt, would leave another head than the one expected next: 409.
      acknowledged.set(id, reply.text)
      lane.head = String(reply.json()['canonicalPayloadHash'])
      lane.unanswered = undefined
      requireStatus(await sendTo(at, pushOf(signedAgain(reply, id))), 400)
      const stream = requireStatus(await sendTo(at, { path: `/api/v2/sync/pushes/${id}/events` }), 200)
      const ids = [...stream.text.matchAll(/^id: ?(\d+)$/gm)].map(([, sequence]) => sequence)
      if (ids.join() !== '1,2,3') {
        doubled++
        throw new Wrong('receipt events lost or doubled', ids.join())
      }
    },
    check: async (life) => {
      let lost = 0
      for (const [id, text] of acknowledged) {
        const read = await sendTo({ socketPath: life.socketPath }, { path: `/api/v2/sync/pushes/${id}` })
        if (read.status !== 200 || read.text !== text) lost++
      }
      return { acknowledged: acknowledged.size, lost, doubled }
    },
  }
}

/** A body that is no push at all: refusals are part of the load. */
function signedAgain(reply: Reply, id: string): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ schemaVersion: '1.7', requestId: id, of: reply.status }))
}
