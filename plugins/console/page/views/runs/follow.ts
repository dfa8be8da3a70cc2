/** Follows a run for as long as it is shown. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { StreamReason, StreamState } from '../../../../client/index.ts'
import { type Batches, createBatches } from '../../lib/batches.ts'
import { client } from '../../lib/client.ts'
import { recoveries } from '../../lib/service.ts'
import { type AgUiEvent, createTimeline, type Timeline } from './timeline.ts'

/** Where a run is joined: at its start, at a snapshot of now, or behind a position. */
export type Join = 'start' | 'snapshot' | { readonly after: string }

/** A run that is followed. */
export interface Followed {
  readonly timeline: Timeline
  readonly state: StreamState
  readonly reason: StreamReason | undefined
  /** Events that wait while it is paused. */
  readonly waiting: number
  readonly isPaused: boolean
  setPaused(isPaused: boolean): void
}

const NOTHING: Timeline = { items: [], events: 0, state: undefined }

/** Follows the run from where it is joined; anew when either changes. */
export function useRun(runId: string, join: Join): Followed {
  const [timeline, setTimeline] = useState(NOTHING)
  const [[state, reason], setState] = useState<readonly [StreamState, StreamReason | undefined]>([
    'connecting',
    undefined,
  ])
  const [waiting, setWaiting] = useState(0)
  const [isPaused, setPausedState] = useState(false)
  const batches = useRef<Batches<readonly [AgUiEvent, string | undefined]> | undefined>(undefined)
  const after = typeof join === 'object' ? join.after : undefined
  const isSnapshot = join === 'snapshot'
  const recovery = recoveries.value
  useEffect(() => {
    const built = createTimeline()
    setTimeline(NOTHING)
    setPausedState(false)
    setWaiting(0)
    const taking = createBatches<readonly [AgUiEvent, string | undefined]>({
      take: ([event, id]) => built.add(event, id),
      done: () => setTimeline(built.now()),
      waits: setWaiting,
    })
    batches.current = taking
    const following = client.run(runId, {
      snapshot: isSnapshot,
      ...(after !== undefined && { lastEventId: after }),
      onEvent: (event, id) => {
        taking.add([event, id])
      },
      onState: (to, why) => setState([to, why]),
    })
    return () => {
      following.close()
      taking.close()
    }
  }, [runId, isSnapshot, after, recovery])
  const setPaused = (to: boolean): void => {
    setPausedState(to)
    if (!to) setWaiting(0)
    batches.current?.setPaused(to)
  }
  return { timeline, state, reason, waiting, isPaused, setPaused }
}
