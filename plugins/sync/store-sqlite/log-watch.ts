/**
 * Looks after the write-ahead log. While another process reads an old state of the store, such as a forgotten database
 * browser, SQLite cannot reuse the log, which then grows with every commit until the disk is full.
 */
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { FileStore } from './file-store.ts'

/** Time between two looks. */
const EVERY_MS = 10_000
/**
 * A reader that is there at this many looks one after another holds the log; a backup or a check of a large store may
 * take a while.
 */
const HELD_AFTER = 2

/** What the watch needs. */
export interface LogWatchParts {
  readonly store: Pick<FileStore, 'trimLog'>
  readonly clock: Clock
  readonly log: Logger
  /** Called with the bytes of the log at each look. */
  readonly measured: (bytes: number) => void
}

/** The watch. */
export interface LogWatch {
  start(): void
  stop(): void
  /** Whether another process holds the log. */
  isHeld(): boolean
}

/** Creates the watch. */
export function createLogWatch({ store, clock, log, measured }: LogWatchParts): LogWatch {
  let timer: unknown
  let looks = 0
  const look = (): void => {
    const { bytes, held } = store.trimLog()
    measured(bytes)
    if (held && ++looks === HELD_AFTER)
      log.warn(
        'Another process reads an old state of the receipt store, so that its log grows until the disk is full. Find it with: fuser -v sync.db',
        { bytes },
      )
    if (!held && looks >= HELD_AFTER) log.info('The log of the receipt store was given back.', { bytes })
    if (!held) looks = 0
  }
  const step = (): void => {
    try {
      look()
    } catch (error) {
      log.warn('The log of the receipt store could not be looked at.', { error })
    }
    timer = clock.setTimeout(step, EVERY_MS)
  }
  return {
    start: step,
    stop: () => clock.clearTimeout(timer),
    isHeld: () => looks >= HELD_AFTER,
  }
}
