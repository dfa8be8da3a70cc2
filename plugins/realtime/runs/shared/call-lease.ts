import type { StreamClock } from '../../streams/soon.ts'
import type { Callers } from './api.ts'

/** Time between two renewals, in milliseconds. */
const RENEW_MS = 5_000

/**
 * Without a renewal for so long this node ends its own calls, in milliseconds. Other nodes wait longer
 * (`lost-callers.ts`).
 */
const HELD_MS = 30_000

/** What `CallLease` works with. */
export interface CallLeaseOptions {
  readonly callers: Callers
  readonly clock: StreamClock
}

/**
 * Shows other nodes that this node is there, while it calls agents. If the store does not take that for too long, the
 * calls are lost.
 */
export class CallLease {
  readonly #options: CallLeaseOptions
  readonly #calls = new Set<() => void>()
  /** When the newest renewal that the store has taken was sent, on the monotonic clock. */
  #renewedAt = Number.NEGATIVE_INFINITY
  #renewing: Promise<void> | undefined
  #timer: unknown

  constructor(options: CallLeaseOptions) {
    this.#options = options
  }

  /**
   * Holds the lease for a call. `onLost` is called if it is lost before the returned function gives it back.
   * @throws the error of the store if it does not take a renewal
   */
  async hold(onLost: () => void): Promise<() => void> {
    if (this.#timer === undefined || this.#age > RENEW_MS) await this.#renew()
    const call = (): void => onLost()
    this.#calls.add(call)
    this.#timer ??= this.#later()
    return () => void this.#calls.delete(call)
  }

  stop(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#calls.clear()
  }

  get #age(): number {
    return this.#options.clock.monotonic() - this.#renewedAt
  }

  #later(): unknown {
    return this.#options.clock.setTimeout(() => this.#round(), Math.max(0, Math.min(RENEW_MS, HELD_MS - this.#age)))
  }

  #round(): void {
    this.#timer = undefined
    if (this.#age >= HELD_MS) {
      const lost = [...this.#calls]
      this.#calls.clear()
      for (const call of lost) call()
    }
    if (this.#calls.size === 0) return
    this.#renew().catch(() => undefined)
    this.#timer = this.#later()
  }

  #renew(): Promise<void> {
    const { callers, clock } = this.#options
    const sentAt = clock.monotonic()
    this.#renewing ??= callers
      .renew()
      .then(() => {
        this.#renewedAt = sentAt
      })
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }
}
