import { httpFail } from '../../../core/catalogue.ts'

/** Runs jobs, so many at a time, with a bounded line behind them. */
export interface HashQueue {
  /**
   * Runs `job` when it is its turn.
   * @throws SvcError `overloaded` at once, where the line is full
   */
  run<T>(job: () => Promise<T>): Promise<T>
}

/** Seconds after which a client that was turned away may come again: the line is worked off in about that time. */
const RETRY_AFTER_SECONDS = '3'

/** A queue that runs `parallel` jobs at a time and lets `waiting` more wait. */
export function createHashQueue(limits: { readonly parallel: number; readonly waiting: number }): HashQueue {
  const line: (() => void)[] = []
  let running = 0

  const next = (): void => {
    running--
    line.shift()?.()
  }
  const turn = (): Promise<void> | undefined => {
    if (running < limits.parallel) {
      running++
      return undefined
    }
    if (line.length >= limits.waiting) {
      throw httpFail('overloaded', { headers: { 'retry-after': RETRY_AFTER_SECONDS } })
    }
    return new Promise((resolve) => {
      line.push(() => {
        running++
        resolve()
      })
    })
  }
  return {
    run: async (job) => {
      await turn()
      try {
        return await job()
      } finally {
        next()
      }
    },
  }
}
