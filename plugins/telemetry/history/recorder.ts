/** Records a minute after another in the store. */
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { NodeStore } from '../../store/api.ts'
import type { Day } from '../api.ts'
import { DAY_MINUTES, toDay } from './day.ts'
import { createMinute, MINUTE_MS, type Minute, minuteOf } from './minute.ts'
import { putMinute, readMinutes } from './statements.ts'

/** Time between two looks at the checks and streams, in milliseconds. */
const LOOK_MS = 15_000

/** What the recorder needs. */
export interface RecorderParts {
  readonly store: Pick<NodeStore, 'read' | 'write'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn' | 'info'>
  /** Looks at all checks. */
  readonly checks: () => Promise<Minute['checks']>
  /** The number of open streams. */
  readonly streams: () => number
  /** The room on the disk of the store, in bytes; null if it is not known. */
  readonly freeBytes: () => number | null
}

/** The recorder. */
export interface Recorder {
  /** Records the start of the service, and begins to look. */
  start(): void
  /** Writes the running minute. */
  stop(): Promise<void>
  /** Counts an answer. */
  count(status: number, durationMs: number): void
  /**
   * The last day, with the running minute at its end. Rejects with `receipt_store_unavailable` if the store cannot be
   * read.
   */
  day(): Promise<Day>
}

/** Creates the recorder. A minute that cannot be written is missing in the history, and nothing else happens. */
export function createRecorder({ store, clock, log, checks, streams, freeBytes }: RecorderParts): Recorder {
  let running = createMinute(minuteOf(clock.now()))
  let timer: unknown
  let isFailing = false
  let work: Promise<void> = Promise.resolve()

  const write = async (minute: Minute): Promise<void> => {
    try {
      await store.write((ledger) => putMinute(ledger, minute))
      if (isFailing) log.info('The history is written again.')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('A minute of the history was not written, and is missing in it.', { error })
      isFailing = true
    }
  }
  /** Begins the present minute if another one is running. */
  const follow = async (): Promise<void> => {
    const present = minuteOf(clock.now())
    const ended = running
    // A clock that is set back by seconds over the beginning of a minute does not begin the minute before again.
    if (present === ended.minute || present === ended.minute - 1) return
    running = createMinute(present)
    // If the clock was set back, the minute that has ended is in the future.
    if (ended.minute < present) await write(ended.read())
  }
  const look = async (): Promise<void> => {
    await follow()
    running.observe(await checks(), streams(), freeBytes())
  }
  const begin = async (): Promise<void> => {
    const present = running.minute
    const [before] = await store.read((ledger) => readMinutes(ledger, present, present)).catch(() => [])
    if (before !== undefined) running.resume(before)
    // At once, so that a start is known even if the process is killed within its first minute.
    await write(running.read())
    await look()
  }
  const repeat = (run: () => Promise<void>): void => {
    work = run()
      .catch((error: unknown) => log.warn('The state of the service was not recorded.', { error }))
      .then(() => {
        const toNextMs = MINUTE_MS - (clock.now() % MINUTE_MS)
        timer = clock.setTimeout(() => repeat(look), Math.min(LOOK_MS, toNextMs))
      })
  }
  return {
    start() {
      running = createMinute(minuteOf(clock.now()), 1)
      repeat(begin)
    },
    async stop() {
      await work
      clock.clearTimeout(timer)
      await follow()
      await write(running.read())
    },
    count: (status, durationMs) => running.count(status, durationMs),
    async day() {
      await follow()
      const last = running.minute
      const minutes = await store.read((ledger) => readMinutes(ledger, last - DAY_MINUTES + 1, last - 1))
      return toDay([...minutes, running.read()], last)
    },
  }
}
