/** Follows the events of a push as they arrive. */
import { useEffect, useState } from 'preact/hooks'
import { defaultSchedule } from '../../../../client/backoff.ts'
import { EventStream, type StreamReason, type StreamState } from '../../../../client/event-stream.ts'
import { consoleFetch } from '../../lib/console-fetch.ts'
import type { Reading } from '../../lib/reading.ts'
import { base } from '../../lib/router.ts'
import { recoveries } from '../../lib/service.ts'
import { useStreamReading } from '../../lib/stream-reading.ts'
import { whileVisible } from '../../lib/while-visible.ts'
import type { ReceiptEvent } from './shapes.ts'

/** Silence after which a connection counts as dead, in ms. The service sends something every 15 s. */
const SILENCE_MS = 45_000
/**
 * Longest delay before the next attempt, in ms. It is short, because a service on the same machine restarts quickly.
 */
const MAX_WAIT_MS = 5_000

/** The events so far, and the state of the stream. */
export interface Followed {
  readonly events: readonly ReceiptEvent[]
  /** Whether the events arrive as they happen. */
  readonly isOpen: boolean
  /** Whether there are no further events. */
  readonly isEnded: boolean
  readonly reading: Reading<readonly ReceiptEvent[]>
}

/** Follows a push as long as the component is shown. */
export function useEvents(pushId: string): Followed {
  const [events, setEvents] = useState<readonly ReceiptEvent[]>([])
  const [[state, reason], setState] = useState<readonly [StreamState, StreamReason | undefined]>([
    'connecting',
    undefined,
  ])
  const recovery = recoveries.value
  useEffect(() => {
    let received: readonly ReceiptEvent[] = []
    setEvents(received)
    return whileVisible(() => {
      const stream = new EventStream(
        {
          fetch: consoleFetch,
          headers: async () => ({}),
          schedule: { ...defaultSchedule, maxMs: MAX_WAIT_MS },
          silenceMs: SILENCE_MS,
        },
        {
          url: `${base}/local/api/v2/sync/pushes/${encodeURIComponent(pushId)}/events`,
          lastEventId: () => received.at(-1)?.sequence.toString(),
          final: [404],
          onEvent({ type, data }) {
            if (type === 'end') stream.end()
            else if (type === 'receipt') {
              received = [...received, JSON.parse(data) as ReceiptEvent]
              setEvents(received)
            }
          },
          onState: (to, why) => setState([to, why]),
        },
      )
      return () => stream.close()
    })
  }, [pushId, recovery])
  const missing = 'The node has no events of this push.'
  const reading = useStreamReading({ data: events, state, reason, missing })
  return { events, isOpen: state === 'open', isEnded: state === 'stopped' && reading.error === undefined, reading }
}
