/** Events that a view takes in batches, and that wait while it is paused. */
import { useRef, useState } from 'preact/hooks'
import { type Batches, createBatches } from './batches.ts'

/** The pause of a view, and where its events come in. */
export interface Pausable<T> {
  readonly isPaused: boolean
  /** Events that wait while it is paused. */
  readonly waiting: number
  setPaused(isPaused: boolean): void
  /** Begins anew, unpaused: where the events go from here on. To be called in an effect, which closes what it got. */
  begin(to: {
    readonly take: (event: T) => void
    readonly done: () => void
    readonly sizeOf: (event: T) => number
  }): Batches<T>
}

/** Lets the reader of a view pause it. */
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
