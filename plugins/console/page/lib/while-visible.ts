/**
 * What goes on only while the page is visible: streams, and the present time for ages and for leases that count down.
 */
import { type Signal, signal } from '@preact/signals'

/** How long a page may be hidden before its streams are closed. */
const GRACE_MS = 10_000

/**
 * Opens a stream while the page is visible, and closes it when the page has been hidden for 10 s. A browser has six
 * connections to one HTTP/1.1 server for all tabs. Streams of hidden tabs could use all of them, and none would remain
 * for the visible tab.
 * @param open opens the stream, and returns the function that closes it. It is called again when the page is visible
 * again.
 * @returns the function that closes the stream and stops following the visibility of the page
 */
export function whileVisible(open: () => () => void): () => void {
  let close: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = (): void => {
    clearTimeout(timer)
    if (!document.hidden) close ??= open()
    else
      timer = setTimeout(() => {
        close?.()
        close = undefined
      }, GRACE_MS)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    clearTimeout(timer)
    close?.()
  }
}

/** Unix time in milliseconds, updated once per second while the page is visible. */
export const now: Signal<number> = signal(Date.now())

/** Starts the clock. */
export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now()
  }, 1_000)
}
