/** Repeats the joins whose outcome is not known: at each start, and then with growing pauses. */
import type { Clock } from '../../../../core/kernel/environment.ts'
import type { Logger } from '../../../../core/kernel/log.ts'
import type { Joins } from '../../registry/joins.ts'
import type { CompleteJoin } from './complete-join.ts'

/** The joins that are repeated. */
export interface UnfinishedJoins {
  /** Repeats them now, and again as long as there are any. */
  start(): void
  /** Repeats them soon, because a join has been added. */
  wake(): void
  /** Resolves once no join is repeated. */
  stop(): Promise<void>
}

/** What repeating needs. */
export interface UnfinishedJoinsParts {
  readonly joins: Pick<Joins, 'list'>
  readonly completeJoin: CompleteJoin
  readonly clock: Clock
  readonly log: Logger
}

/** The first and the longest pause, in milliseconds. */
const [FIRST_MS, LONGEST_MS] = [1_000, 600_000]

/** Creates it. Nothing is repeated yet. */
export function createUnfinishedJoins({ joins, completeJoin, clock, log }: UnfinishedJoinsParts): UnfinishedJoins {
  let timer: unknown
  let repeating: Promise<void> = Promise.resolve()
  let pauseMs = FIRST_MS
  let isStopped = false
  const repeat = async (): Promise<void> => {
    for (const join of await joins.list()) {
      if (isStopped) return
      const peer = join.endpointId
      await completeJoin(join, true).then(
        ({ projects, enrolled }) => log.info('A join that was interrupted is complete.', { peer, projects, enrolled }),
        (error: unknown) => log.warn('A join that was interrupted is not complete.', { peer, error }),
      )
    }
    if ((await joins.list()).length > 0) schedule()
  }
  const turn = (): void => {
    timer = undefined
    // One after another: a join that is added meanwhile begins a turn of its own.
    repeating = repeating.then(repeat).catch((error: unknown) => {
      log.warn('Joins that were interrupted were not repeated.', { error })
      schedule()
    })
  }
  const schedule = (): void => {
    if (isStopped || timer !== undefined) return
    timer = clock.setTimeout(turn, pauseMs)
    pauseMs = Math.min(LONGEST_MS, pauseMs * 2)
  }
  return {
    start: turn,
    wake() {
      pauseMs = FIRST_MS
      clock.clearTimeout(timer)
      timer = undefined
      schedule()
    },
    async stop() {
      isStopped = true
      clock.clearTimeout(timer)
      await repeating
    },
  }
}
