/**
 * Works through the outbox. Each peer has a lane with at most one delivery at a time, so that a peer that hangs delays no other. What
 * is to be sent is in the store, so that deliveries continue after a restart.
 */

import type { EngineOptions, EngineTimers } from '../options.ts'
import type { Attempts } from './attempt.ts'
import { Lane, type LaneParts } from './lane.ts'
import { outboxAfter, receiptNo } from './statements.ts'

/** Most deliveries at a time. Each holds an envelope in memory; four pushes with the most targets fit. */
const MAX_PARALLEL = 1_024
/** Rows of the outbox that one read returns. */
const PAGE = 256

/** Sends what is in the outbox. */
export interface Delivery {
  /** Sends a new push to its targets; without a push, everything that is in the outbox. */
  wake(push?: { readonly pushId: string; readonly targets: readonly string[] }): void
  /** Ends the pause of a peer's lane, if it has one: what waits for that peer is tried now. */
  resume(endpointId: string): void
  stop(): Promise<void>
}

/** Creates the delivery of an engine. */
export function createDelivery(options: EngineOptions, timers: EngineTimers, attempts: Attempts): Delivery {
  const { store, limits, log } = options
  const lanes = new Map<string, Lane>()
  const queue: Lane[] = []
  const working = new Set<Promise<void>>()
  let timer: unknown
  let stopped = false

  const pump = (): void => {
    while (working.size < MAX_PARALLEL && !stopped) {
      const lane = queue.shift()
      if (lane === undefined) return
      const work = lane.serve()
      working.add(work)
      void work.finally(() => {
        working.delete(work)
        pump()
      })
    }
  }

  const parts: LaneParts = {
    options,
    timers,
    attempts,
    queue(lane) {
      queue.push(lane)
      pump()
    },
    remove: (lane) => void lanes.delete(lane.endpointId),
    isStopped: () => stopped,
  }

  const visit = (endpointId: string, from: number): void => {
    let lane = lanes.get(endpointId)
    if (lane === undefined) lanes.set(endpointId, (lane = new Lane(endpointId, parts)))
    lane.visit(from)
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
      if (!stopped) lanes.get(endpointId)?.resume()
    },
    async stop() {
      stopped = true
      attempts.stop()
      for (const lane of lanes.values()) lane.stop()
      timers.clearTimeout(timer)
      await Promise.all(working)
    },
  }
  return delivery
}
