/** Passes events to a view in batches, and queues them while the view is paused. */
import { useRef, useState } from 'preact/hooks'
import { type Batches, createBatches } from './batches.ts'

/** The pause of a view and the queue of its events. */
export interface Pausable<T> {
  readonly isPaused: boolean
  /** The number of events that are queued while the view is paused. */
  readonly waiting: number
  setPaused(isPaused: boolean): void
  /** Creates a new queue, which is not paused. To be called in an effect, which closes the returned queue. */
  begin(to: {
    readonly take: (event: T) => void
    readonly done: () => void
    readonly sizeOf: (event: T) => number
  }): Batches<T>
}

/** Lets the reader pause a view. */
export function usePausable<T>(): Pausable<T> {
  const [isPaused, setIsPaused] = useState(false)
  const [waiting, setWaiting] = useState(0)
  const batches = useRef<Batches<T> | undefined>(undefined)
  const show = (to: boolean): void => {
    setIsPaused(to)
    if (!to) setWaiting(0)
  }
  return {
    isPaused,
    waiting,
    setPaused(to) {
      show(to)
      batches.current?.setPaused(to)
    },
    begin(to) {
      show(false)
      batches.current = createBatches({ ...to, waits: setWaiting })
      return batches.current
    },
  }
}
