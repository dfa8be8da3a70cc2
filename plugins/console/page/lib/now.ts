/** The time, for ages and leases that count down. */
import { type Signal, signal } from '@preact/signals'

/** Unix time in milliseconds, renewed once a second while the page is seen. */
export const now: Signal<number> = signal(Date.now())

/** Starts the clock. */
export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now()
  }, 1_000)
}
