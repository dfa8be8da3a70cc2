import type { Clock } from '../../../../core/environment.ts'
import type { Logger } from '../../../../core/log.ts'

/** Asks all peers again and again, a pause behind each time. */
export interface PullTimer {
  start(): void
  /** Resolves once nobody is asked any more. */
  stop(): Promise<void>
}

/** What the timer needs. */
export interface PullTimerParts {
  /** The pause in milliseconds; 0 for never. */
  readonly everyMs: number
  readonly clock: Clock
  readonly log: Logger
  /** Asks all peers, until `isStopped` says so. */
  readonly pullAll: (isStopped: () => boolean) => Promise<void>
}

/** Makes a timer that stands. */
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
