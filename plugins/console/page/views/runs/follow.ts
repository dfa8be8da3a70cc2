/** Follows a run as long as it is shown. */
import { useEffect, useState } from 'preact/hooks'
import type { StreamReason, StreamState } from '../../../../client/index.ts'
import { client } from '../../lib/client.ts'
import { usePausable } from '../../lib/pausable.ts'
import type { Reading } from '../../lib/reading.ts'
import { recoveries } from '../../lib/service.ts'
import { useStreamReading } from '../../lib/stream-reading.ts'
import { whileVisible } from '../../lib/while-visible.ts'
import { type AgUiEvent, createTimeline, type Timeline } from './timeline.ts'

/** Where a run is joined: at its start, at a snapshot of its present state, or after a position. */
export type Join = 'start' | 'snapshot' | { readonly after: string }

/** A run that is followed. */
export interface Followed {
  readonly timeline: Timeline
  readonly state: StreamState
  readonly reading: Reading<Timeline>
  /** Number of events that are queued while the view is paused. */
  readonly waiting: number
  readonly isPaused: boolean
  setPaused(isPaused: boolean): void
}

interface Arrived {
  readonly event: AgUiEvent
  readonly position: string | undefined
  readonly arrivedMs: number | undefined
  readonly characters: number
}

const NOTHING: Timeline = { items: [], events: 0, state: undefined, stateAfter: () => undefined }

/** Follows the run from its join point. Starts again when the run or the join point changes. */
export function useRun(runId: string, join: Join): Followed {
  const [timeline, setTimeline] = useState(NOTHING)
  const [[state, reason], setState] = useState<readonly [StreamState, StreamReason | undefined]>([
    'connecting',
    undefined,
  ])
  const { isPaused, waiting, setPaused, begin } = usePausable<Arrived>()
  const after = typeof join === 'object' ? join.after : undefined
  const isSnapshot = join === 'snapshot'
  const recovery = recoveries.value
  useEffect(() => {
    const builder = createTimeline()
    setTimeline(NOTHING)
    const batches = begin({
      take: ({ event, position, arrivedMs }) => builder.add(event, position, arrivedMs),
      done: () => setTimeline(builder.now()),
      sizeOf: ({ characters }) => characters,
    })
    let newest = after
    const end = whileVisible(() => {
      const following = client.run(runId, {
        snapshot: isSnapshot,
        times: true,
        ...(newest !== undefined && { lastEventId: newest }),
        onEvent(event, position, arrivedMs) {
          newest = position ?? newest
          batches.add({ event, position, arrivedMs, characters: JSON.stringify(event).length })
        },
        onState: (to, why) => setState([to, why]),
      })
      return () => following.close()
    })
    return () => {
      end()
      batches.close()
    }
  }, [runId, isSnapshot, after, recovery])
  const missing =
    'There is no such run: its name is wrong, it was removed after its end, or it belongs to another user.'
  const reading = useStreamReading({ data: timeline, state, reason, missing })
  return { timeline, state, reading, waiting, isPaused, setPaused }
}
