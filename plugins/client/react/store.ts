/** What a component reads, from a stream that is open while the component is there. */

/** A source that `useSyncExternalStore` reads. */
export interface Store<View> {
  subscribe(listener: () => void): () => void
  /** The present view; another object after each change. */
  view(): View
  /** The view of a page that is rendered on a server. */
  idle(): View
}

/** A stream: `open` begins or resumes it and returns what closes it, `read` makes a view of what has come. */
export interface Source<View> {
  open(changed: () => void): () => void
  read(): View
}

/** Creates a store. Its stream is open while it has listeners; all changes of one turn are one change of the view. */
export function createStore<View>(idle: View, { open, read }: Source<View>): Store<View> {
  const listeners = new Set<() => void>()
  let view = idle
  let isDue = false
  let close: (() => void) | undefined
  const changed = (): void => {
    if (isDue) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      view = read()
      for (const listener of [...listeners]) listener()
    })
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      close ??= open(changed)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        close?.()
        close = undefined
      }
    },
    view: () => view,
    idle: () => idle,
  }
}
