/** Streams that are open only while the page is seen. */

/** How long a page may be hidden before its streams are closed. */
const GRACE_MS = 10_000

/**
 * Opens a stream while the page is visible, and closes it when the page was hidden for 10 s. A browser has six connections to one
 * HTTP/1.1 server for all tabs, so that hidden tabs would leave none for the one that is seen.
 * @param open opens the stream, and returns the function that closes it. It is called again when the page is seen again.
 * @returns ends it all
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
