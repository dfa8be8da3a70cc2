/**
 * The outbox at work: each peer has a lane with one delivery on the way at most, so that one that hangs holds up nobody but
 * itself. What is to be sent stands in the store, so that a restart goes on where it was.
 */

import type { Attempts } from './attempt.ts'
import type { EngineOptions, EngineTimers } from './options.ts'
import type { OutboxRow } from './store/api.ts'
import { outboxFirst, outboxPeers } from './store/walks.ts'

/** Deliveries on the way at once: more than four pushes with the most targets, at an envelope each. */
const MAX_PARALLEL = 1_024
/** Peers that are looked up at once. */
const PAGE = 256

/** Sends what is in the outbox, by itself. */
export interface Delivery {
  /** Something new may wait for these peers, or for any where none is named. */
  wake(endpointIds?: readonly string[]): void
  stop(): Promise<void>
}

interface Lane {
  readonly endpointId: string
  /** Waits for its turn or is at work. */
  busy: boolean
  /** Something new may be there since it looked. */
  again: boolean
  timer: unknown
  /** The receipt whose pause is over by the timer's count, whatever the clock of the day says. */
  ripe: number | undefined
}

/** Makes the delivery of an engine. */
export function createDelivery(
  { store, now, limits, log }: EngineOptions,
  timers: EngineTimers,
  attempts: Attempts,
): Delivery {
  const lanes = new Map<string, Lane>()
  const queue: Lane[] = []
  const working = new Set<Promise<void>>()
  let timer: unknown
  let stopped = false
  const visit = (endpointId: string): void => {
    let lane = lanes.get(endpointId)
    if (lane === undefined)
      lanes.set(endpointId, (lane = { endpointId, busy: false, again: false, timer: undefined, ripe: undefined }))
    lane.again = true
    if (!lane.busy) line(lane)
  }

  const line = (lane: Lane): void => {
    timers.clearTimeout(lane.timer)
    lane.busy = true
    queue.push(lane)
    pump()
  }

  const pump = (): void => {
    while (working.size < MAX_PARALLEL && queue.length > 0 && !stopped) {
      const work = serve(queue.shift()!)
      working.add(work)
      void work.finally(() => {
        working.delete(work)
        pump()
      })
    }
  }

  /** Sends one envelope of a lane, then lets the others in the line go first; never rejects. */
  const serve = async (lane: Lane): Promise<void> => {
    lane.again = false
    try {
      const row = await store.read((ledger) => outboxFirst(ledger, lane.endpointId))
      if (stopped) return
      const pauseMs = row === undefined ? 0 : pauseOf(row, lane)
      lane.ripe = undefined
      if (row !== undefined && pauseMs === 0) await attempts.once(row)
      else if (!lane.again) return row === undefined ? void lanes.delete(lane.endpointId) : rest(lane, pauseMs, row)
      if (!stopped) line(lane)
    } catch (error) {
      log.log('warn', 'A delivery waits: the store cannot be used.', { error })
      rest(lane, limits.retryFirstMs)
    }
  }

  /** A time further away than the longest pause comes from a clock that has been set back since. */
  const pauseOf = (row: OutboxRow, lane: Lane): number => {
    const leftMs = row.nextAttemptAtMs - now()
    return leftMs <= 0 || leftMs > limits.retryMaxMs || row.receiptNo === lane.ripe ? 0 : leftMs
  }

  const rest = (lane: Lane, pauseMs: number, row?: OutboxRow): void => {
    lane.busy = false
    if (stopped) return
    lane.timer = timers.setTimeout(() => {
      lane.ripe = row?.receiptNo
      visit(lane.endpointId)
    }, pauseMs)
  }

  const visitAll = async (): Promise<void> => {
    for (let after: string | undefined = ''; after !== undefined && !stopped; ) {
      const from: string = after
      const peers = await store.read((ledger) => outboxPeers(ledger, from, PAGE))
      for (const peer of peers) visit(peer)
      after = peers.length === PAGE ? peers[PAGE - 1] : undefined
    }
  }

  const delivery: Delivery = {
    wake(endpointIds) {
      if (stopped) return
      if (endpointIds !== undefined) return endpointIds.forEach(visit)
      visitAll().catch((error: unknown) => {
        log.log('warn', 'Deliveries wait: the store cannot be used.', { error })
        if (!stopped) timer = timers.setTimeout(() => delivery.wake(), limits.retryFirstMs)
      })
    },
    async stop() {
      stopped = true
      attempts.stop()
      for (const lane of lanes.values()) timers.clearTimeout(lane.timer)
      timers.clearTimeout(timer)
      await Promise.all(working)
    },
  }
  return delivery
}
