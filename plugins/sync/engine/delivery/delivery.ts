/**
 * Works through the outbox. Each peer has a queue with at most one delivery at a time, so that a peer that hangs delays
 * no other. What is to be sent is in the store, so that deliveries continue after a restart.
 */

import type { EngineOptions, EngineTimers } from '../options.ts'
import type { Attempts } from './attempt.ts'
import { PeerQueue, type PeerQueueParts } from './peer-queue.ts'
import { outboxAfter, receiptNo } from './statements.ts'

/** Most deliveries at a time. Each holds an envelope in memory; four pushes with the most targets fit. */
const MAX_PARALLEL = 1_024
/** Rows of the outbox that one read returns. */
const PAGE = 256

/** Sends what is in the outbox. */
export interface Delivery {
  /** Sends a new push to its targets; without a push, everything that is in the outbox. */
  wake(push?: { readonly pushId: string; readonly targets: readonly string[] }): void
  /** A peer is back: the deliveries to it that have failed are tried now, until one fails. */
  resume(endpointId: string): void
  stop(): Promise<void>
}

/** Creates the delivery of an engine. */
export function createDelivery(options: EngineOptions, timers: EngineTimers, attempts: Attempts): Delivery {
  const { store, limits, log } = options
  const queues = new Map<string, PeerQueue>()
  /** The queues that have something to send, in their order. */
  const inLine: PeerQueue[] = []
  const working = new Set<Promise<void>>()
  let timer: unknown
  let stopped = false

  const pump = (): void => {
    while (working.size < MAX_PARALLEL && !stopped) {
      const next = inLine.shift()
      if (next === undefined) return
      const work = next.serve()
      working.add(work)
      void work.finally(() => {
        working.delete(work)
        pump()
      })
    }
  }

  const parts: PeerQueueParts = {
    options,
    timers,
    attempts,
    lineUp(queue) {
      inLine.push(queue)
      pump()
    },
    remove: (queue) => void queues.delete(queue.endpointId),
    isStopped: () => stopped,
  }

  const visit = (endpointId: string, from: number): void => {
    let queue = queues.get(endpointId)
    if (queue === undefined) queues.set(endpointId, (queue = new PeerQueue(endpointId, parts)))
    queue.visit(from)
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
      if (!stopped) queues.get(endpointId)?.resume()
    },
    async stop() {
      stopped = true
      attempts.stop()
      for (const queue of queues.values()) queue.stop()
      timers.clearTimeout(timer)
      await Promise.all(working)
    },
  }
  return delivery
}
