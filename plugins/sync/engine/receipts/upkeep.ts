/** Work that is due by time alone: settles broadcast pushes, and removes settled receipts that are old enough. */

import type { EngineOptions, EngineTimers } from '../options.ts'
import { firstOpenMs } from '../store/statements.ts'
import { removeOld } from './retention.ts'
import { settleDue } from './settle.ts'

/** Longest time between two runs, so that a change of the system clock has an effect. */
const LONGEST_PAUSE_MS = 3_600_000

/** Runs that work. */
export interface Upkeep {
  /** Runs once, and from then on whenever something is due. */
  start(): void
  /** Plans a run at `atMs`, when a push may settle. */
  expect(atMs: number): void
  stop(): Promise<void>
}

/** Creates the upkeep of an engine. `changed` is called with each push that was settled. */
export function createUpkeep(options: EngineOptions, timers: EngineTimers, changed: (pushId: string) => void): Upkeep {
  const { store, now, limits, log } = options
  let timer: unknown
  let plannedMs = Infinity
  let running: Promise<void> | undefined
  let stopped = false

  const run = async (): Promise<void> => {
    await settleDue(options, changed)
    await removeOld(options, () => stopped)
    const first = await store.read((ledger) => firstOpenMs(ledger))
    if (first !== undefined) upkeep.expect(first + limits.settleAfterMs)
  }

  const tick = (): void => {
    plannedMs = Infinity
    running ??= run()
      .catch((error: unknown) => log.log('warn', 'The upkeep of the store waits.', { error }))
      .finally(() => {
        running = undefined
        upkeep.expect(now() + LONGEST_PAUSE_MS)
      })
  }

  const upkeep: Upkeep = {
    start: tick,
    expect(atMs) {
      if (stopped || atMs >= plannedMs) return
      timers.clearTimeout(timer)
      plannedMs = atMs
      timer = timers.setTimeout(tick, Math.min(Math.max(atMs - now(), 1), LONGEST_PAUSE_MS))
    },
    async stop() {
      stopped = true
      timers.clearTimeout(timer)
      await running
    },
  }
  return upkeep
}
