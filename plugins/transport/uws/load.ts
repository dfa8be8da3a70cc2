/** The connections of a server and the requests that wait for their answer. */
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Exchange } from './exchange.ts'

/** What a stop waits for. */
export interface Load {
  /** Requests that are not answered within the handler of the library. */
  readonly open: Set<Exchange>
  readonly connections: number
  /** Counts connections that open (positive) or close (negative). */
  addConnections(change: number): void
  /** Removes an exchange that is over. */
  remove(exchange: Exchange): void
  /**
   * Resolves once the condition holds, or `limitMs` later. The condition is checked when the last connection or
   * exchange ends.
   */
  until(holds: () => boolean, limitMs?: number): Promise<void>
}

/** Counts for one server. One caller at a time may wait. */
export function createLoad(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>): Load {
  const open = new Set<Exchange>()
  let connections = 0
  let check: (() => void) | undefined
  return {
    open,
    get connections() {
      return connections
    },
    addConnections(change) {
      connections += change
      if (connections === 0) check?.()
    },
    remove(exchange) {
      open.delete(exchange)
      if (open.size === 0) check?.()
    },
    until: (holds, limitMs) =>
      new Promise((resolve) => {
        const timer = limitMs === undefined ? undefined : clock.setTimeout(resolve, limitMs)
        check = () => {
          if (!holds()) return
          clock.clearTimeout(timer)
          resolve()
        }
        check()
      }),
  }
}
