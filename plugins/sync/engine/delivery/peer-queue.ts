/** The deliveries to one peer, one after the other. */
import type { EngineOptions, EngineTimers } from '../options.ts'
import type { OutboxRow } from '../store/api.ts'
import type { Attempts } from './attempt.ts'
import { outboxDue } from './due.ts'

/** Receipts in which a queue searches for a delivery in one read. */
const PAGE = 256

/** What the queues of an engine share. */
export interface PeerQueueParts {
  readonly options: Pick<EngineOptions, 'store' | 'now' | 'limits' | 'log'>
  readonly timers: EngineTimers
  readonly attempts: Attempts
  /** Puts a peer behind the other peers that have something to send. */
  lineUp(queue: PeerQueue): void
  /** Removes a queue that has nothing to send. */
  remove(queue: PeerQueue): void
  isStopped(): boolean
}

/**
 * A peer with deliveries in the outbox. It has at most one delivery at a time, so that a peer that hangs delays no
 * other.
 */
export class PeerQueue {
  readonly endpointId: string
  readonly #parts: PeerQueueParts
  /** Whether the peer is in line or a delivery runs. */
  #busy = false
  /** Whether there may be new rows since the queue last read the outbox. */
  #again = false
  /** The first receipt that may have a delivery to this peer which was never tried; Infinity if there is none. */
  #from = Infinity
  #timer: unknown
  /** The receipt that the queue waits for during its pause. */
  #pausedFor: number | undefined
  /** Whether deliveries that have failed do not wait for their pause, because the peer is back. */
  #ignoresPauses = false
  /** How often the peer came back, so that the failure of an attempt from before the last time does not count. */
  #returns = 0
  /** The receipt whose pause has ended, by the timer or by `resume`, whatever the system clock says. */
  #dueNow: number | undefined

  constructor(endpointId: string, parts: PeerQueueParts) {
    this.endpointId = endpointId
    this.#parts = parts
  }

  /** Reads the outbox again, now or after the running delivery. `from` is a receipt that may have a new delivery. */
  visit(from: number = Infinity): void {
    this.#from = Math.min(this.#from, from)
    this.#again = true
    if (!this.#busy) this.#lineUp()
  }

  /**
   * The peer is back: tries the deliveries that have failed without their pauses, one after the other, until one fails
   * again. So a peer that calls but cannot be called costs few attempts.
   */
  resume(): void {
    this.#ignoresPauses = true
    this.#returns++
    if (!this.#busy) this.#endPause()
  }

  /** Clears the timer of a pause. */
  stop(): void {
    this.#parts.timers.clearTimeout(this.#timer)
  }

  /** Sends one envelope, then lines up behind the other peers. Never rejects. */
  async serve(): Promise<void> {
    const { options, attempts, remove, isStopped } = this.#parts
    const { store, now, limits, log } = options
    const from = this.#from
    this.#again = false
    this.#from = Infinity
    try {
      const lastMs = now() + limits.retryMaxMs
      const due = await store.read((ledger) => outboxDue(ledger, this.endpointId, from, PAGE, lastMs))
      // A push may have come during the read.
      this.#from = Math.min(this.#from, due.from)
      if (isStopped()) return
      const { row } = due
      const pauseMs = row === undefined ? 0 : this.#pauseOf(row)
      this.#dueNow = undefined
      if (row !== undefined && pauseMs === 0) {
        const returns = this.#returns
        if (!(await attempts.once(row)) && returns === this.#returns) this.#ignoresPauses = false
      } else if (!this.#again && !due.more) return row === undefined ? remove(this) : this.#rest(pauseMs, row)
      if (!isStopped()) this.#lineUp()
    } catch (error) {
      log.log('warn', 'A delivery waits: the store cannot be used.', { error })
      this.#from = Math.min(this.#from, from)
      this.#rest(limits.retryFirstMs)
    }
  }

  #lineUp(): void {
    this.#parts.timers.clearTimeout(this.#timer)
    this.#busy = true
    this.#parts.lineUp(this)
  }

  /**
   * Milliseconds until a row is due: 0 if the peer is back, if the pause of the row has ended, and for a pause longer
   * than the longest one, because the clock was set back since.
   */
  #pauseOf(row: OutboxRow): number {
    const { now, limits } = this.#parts.options
    const leftMs = row.nextAttemptAtMs - now()
    if (row.attempts > 0 && this.#ignoresPauses) return 0
    return leftMs <= 0 || leftMs > limits.retryMaxMs || row.receiptNo === this.#dueNow ? 0 : leftMs
  }

  #rest(pauseMs: number, row?: OutboxRow): void {
    this.#busy = false
    if (this.#parts.isStopped()) return
    this.#pausedFor = row?.receiptNo
    this.#timer = this.#parts.timers.setTimeout(() => this.#endPause(), pauseMs)
  }

  #endPause(): void {
    this.#dueNow = this.#pausedFor
    this.visit()
  }
}
