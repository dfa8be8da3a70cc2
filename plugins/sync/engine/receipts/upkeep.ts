/** Work that is due by time alone: settles broadcast pushes, and removes settled receipts that are old enough. */

import type { EngineOptions, EngineTimers } from '../options.ts'
import { firstOpenMs, receiptNos } from '../store/statements.ts'
import { readable, settleDue } from './settle.ts'
import { isSettled } from './states.ts'

/** Receipts in one transaction. */
const SLICE = 64
/** Longest time between two runs, so that a change of the system clock has an effect. */
const LONGEST_PAUSE_MS = 3_600_000
const DAY_MS = 86_400_000

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

  const retain = async (): Promise<void> => {
    if (limits.retentionDays === 0) return
    const beforeMs = now() - limits.retentionDays * DAY_MS
    for (let after: number | undefined = -1; after !== undefined && !stopped; ) {
      const from: number = after
      const nos = await store.read((ledger) => receiptNos(ledger, from, SLICE))
      const young = await store.write((ledger) => {
        const pushes = nos.map((no) => readable(ledger, no)).filter((push) => push !== undefined)
        const old = pushes.filter(({ createdAtMs }) => createdAtMs < beforeMs)
        for (const push of old) if (isSettled(push, now(), limits.settleAfterMs)) ledger.dropPush(push.no)
        return old.length === 0 && pushes.length > 0
      })
      // Numbers increase with time: after a slice of young receipts there are only younger ones.
      after = young ? undefined : nos[SLICE - 1]
      await options.yieldLoop()
    }
  }

  const run = async (): Promise<void> => {
    await settleDue(options, changed)
    await retain()
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
