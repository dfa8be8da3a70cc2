/** The load on the sync surface: pushes whose order shows whether one was lost or done twice. */
import { randomUUID } from 'node:crypto'
import { storagePath } from '../../plugins/sync/store-sqlite/file-store.ts'
import { pushOf, type Reply, sendTo } from '../e2e/sync/daemon.ts'
import { createServer, createSigner, type Signer, signed } from '../unit/sync/platforms.ts'
import type { Life } from './service.ts'
import { Wrong } from './tally.ts'

/** Lanes of pushes, one project per lane. Each push expects the head that the previous push left. */
export interface Lanes {
  /** Sends a push in a lane, or repeats the push without an answer. Reads its receipt and its events. */
  push(lane: number, life: Life, nowMs: number): Promise<void>
  /**
   * Checks all acknowledged pushes. Returns how many are missing or differ from their answer, and how many were done
   * twice.
   */
  check(life: Life): Promise<{ readonly acknowledged: number; readonly lost: number; readonly doubled: number }>
}

interface Lane {
  readonly project: string
  head: string | undefined
  unanswered: { readonly id: string; readonly body: Uint8Array } | undefined
}

/** Enrols a device for `count` projects in a store that is not open. */
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
      // The push was refused and always will be, because the clock has changed meanwhile.
      if (reply.status === 422) lane.unanswered = undefined
      requireStatus(reply, 201, 200)
      // If a push had been done twice, or without a receipt, the head would differ from the expected head of the next
      // push, which would get 409.
      acknowledged.set(id, reply.text)
      lane.head = String(reply.json()['canonicalPayloadHash'])
      lane.unanswered = undefined
      requireStatus(await sendTo(at, pushOf(invalidPush(reply, id))), 400)
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

/** A body that is not a push. Refusals are part of the load. */
function invalidPush(reply: Reply, id: string): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ schemaVersion: '1.7', requestId: id, of: reply.status }))
}
