/**
 * The outbox at work: each peer has a lane with one delivery on the way at most, so that one that hangs holds up nobody but
 * itself. What is to be sent stands in the store, so that a restart goes on where it was.
 */

import type { EngineOptions, EngineTimers } from '../options.ts'
import type { OutboxRow } from '../store/api.ts'
import { outboxAfter, outboxDue, receiptNo } from '../store/walks.ts'
import type { Attempts } from './attempt.ts'

/** Deliveries on the way at once: more than four pushes with the most targets, at an envelope each. */
const MAX_PARALLEL = 1_024
/** Rows, or receipts, that are looked through at once. */
const PAGE = 256

/** Sends what is in the outbox, by itself. */
export interface Delivery {
  /** A push waits for these peers, or anything may wait for any where none is named. */
  wake(push?: { readonly pushId: string; readonly targets: readonly string[] }): void
  /** Ends the pause of a peer's lane, where it has one: what waits for that peer is tried now. */
  resume(endpointId: string): void
  stop(): Promise<void>
}

interface Lane {
  readonly endpointId: string
  /** Waits for its turn or is at work. */
  busy: boolean
  /** Something new may be there since it looked. */
  again: boolean
  /** The first receipt whose envelope may wait for it and was never tried; Infinity where none does. */
  from: number
  timer: unknown
  /** The receipt that the lane waits for during its pause. */
  pausedFor: number | undefined
  /** The receipt whose pause is over by the timer's count, whatever the clock of the day says. */
  dueNow: number | undefined
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
  const visit = (endpointId: string, from = Infinity): void => {
    let lane = lanes.get(endpointId)
    if (lane === undefined) {
      lane = { endpointId, busy: false, again: false, from, timer: undefined, pausedFor: undefined, dueNow: undefined }
      lanes.set(endpointId, lane)
    }
    lane.from = Math.min(lane.from, from)
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
    const { from } = lane
    lane.again = false
    lane.from = Infinity
    try {
      const lastMs = now() + limits.retryMaxMs
      const due = await store.read((ledger) => outboxDue(ledger, lane.endpointId, from, PAGE, lastMs))
      // A push may have come meanwhile.
      lane.from = Math.min(lane.from, due.from)
      if (stopped) return
      const { row } = due
      const pauseMs = row === undefined ? 0 : pauseOf(row, lane)
      lane.dueNow = undefined
      if (row !== undefined && pauseMs === 0) await attempts.once(row)
      else if (!lane.again && !due.more)
        return row === undefined ? void lanes.delete(lane.endpointId) : rest(lane, pauseMs, row)
      if (!stopped) line(lane)
    } catch (error) {
      log.log('warn', 'A delivery waits: the store cannot be used.', { error })
      lane.from = Math.min(lane.from, from)
      rest(lane, limits.retryFirstMs)
    }
  }

  /** A time further away than the longest pause comes from a clock that has been set back since. */
  const pauseOf = (row: OutboxRow, lane: Lane): number => {
    const leftMs = row.nextAttemptAtMs - now()
    return leftMs <= 0 || leftMs > limits.retryMaxMs || row.receiptNo === lane.dueNow ? 0 : leftMs
  }

  const rest = (lane: Lane, pauseMs: number, row?: OutboxRow): void => {
    lane.busy = false
    if (stopped) return
    lane.pausedFor = row?.receiptNo
    lane.timer = timers.setTimeout(() => endPause(lane), pauseMs)
  }

  const endPause = (lane: Lane): void => {
    lane.dueNow = lane.pausedFor
    visit(lane.endpointId)
  }

  const visitAll = async (): Promise<void> => {
    for (let after: readonly [number, string] | undefined = [0, '']; after !== undefined && !stopped; ) {
      const last: readonly [number, string] = after
      const rows = await store.read((ledger) => outboxAfter(ledger, last, PAGE))
      for (const [receiptNo, endpointId] of rows) visit(endpointId, receiptNo)
      after = rows.length === PAGE ? rows[PAGE - 1] : undefined
    }
  }

  const visitTargets = async (pushId: string, targets: readonly string[]): Promise<void> => {
    const no = await store.read((ledger) => receiptNo(ledger, pushId))
    if (no !== undefined) for (const endpointId of targets) visit(endpointId, no)
  }

  const delivery: Delivery = {
    wake(push) {
      if (stopped) return
      const visits = push === undefined ? visitAll() : visitTargets(push.pushId, push.targets)
      visits.catch((error: unknown) => {
        log.log('warn', 'Deliveries wait: the store cannot be used.', { error })
        if (!stopped) timer = timers.setTimeout(() => delivery.wake(), limits.retryFirstMs)
      })
    },
    resume(endpointId) {
      const lane = lanes.get(endpointId)
      if (!stopped && lane !== undefined && !lane.busy) endPause(lane)
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
