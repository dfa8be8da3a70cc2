/** Pulls from all peers at an interval. */
import type { Clock } from '../../../../core/kernel/environment.ts'
import type { Logger } from '../../../../core/kernel/log.ts'

/** A timer of pulls. The interval begins when the last pull has ended. */
export interface PullTimer {
  start(): void
  /** Resolves once no pull runs. */
  stop(): Promise<void>
}

/** What the timer needs. */
export interface PullTimerParts {
  /** The interval in milliseconds; 0 turns the timer off. */
  readonly everyMs: number
  readonly clock: Clock
  readonly log: Logger
  /** Pulls from all peers. Ends early once `isStopped` returns true. */
  readonly pullAll: (isStopped: () => boolean) => Promise<void>
}

/** Creates a timer that is not started. */
export function createPullTimer({ everyMs, clock, log, pullAll }: PullTimerParts): PullTimer {
  let timer: unknown
  let pulling: Promise<void> | undefined
  let isStopped = false
  const turn = (): void => {
    pulling = pullAll(() => isStopped)
      .catch((error: unknown) => log.warn('Peers were not asked.', { error }))
      .finally(() => {
        if (!isStopped) timer = clock.setTimeout(turn, everyMs)
      })
  }
  return {
    start() {
      if (everyMs > 0) timer = clock.setTimeout(turn, everyMs)
    },
    async stop() {
      isStopped = true
      clock.clearTimeout(timer)
      await pulling
    },
  }
}
