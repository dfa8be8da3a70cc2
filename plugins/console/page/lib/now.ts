/** The present time, for ages and for leases that count down. */
import { type Signal, signal } from '@preact/signals'

/** Unix time in milliseconds, updated once per second while the page is visible. */
export const now: Signal<number> = signal(Date.now())

/** Starts the clock. */
export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now()
  }, 1_000)
}
