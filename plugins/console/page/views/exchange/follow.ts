/** Follows the events of a push as they arrive. */
import { useEffect, useState } from 'preact/hooks'
import { defaultSchedule } from '../../../../client/backoff.ts'
import { EventStream } from '../../../../client/event-stream.ts'
import { consoleFetch } from '../../lib/console-fetch.ts'
import { base } from '../../lib/router.ts'
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
  /** `live`: more events can arrive. `ended`: there are no further events. `lost`: there is no connection. */
  readonly state: 'live' | 'ended' | 'lost'
}

/** Follows a push as long as the component is shown. */
export function useEvents(pushId: string): Followed {
  const [followed, setFollowed] = useState<Followed>({ events: [], state: 'lost' })
  useEffect(() => {
    let events: readonly ReceiptEvent[] = []
    let isEnded = false
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
          lastEventId: () => events.at(-1)?.sequence.toString(),
          final: [404],
          onEvent({ type, data }) {
            if (type === 'end') {
              isEnded = true
              stream.end()
            } else if (type === 'receipt') {
              events = [...events, JSON.parse(data) as ReceiptEvent]
              setFollowed({ events, state: 'live' })
            }
          },
          onState(state, reason) {
            if (reason?.status === 204) isEnded = true
            const shown = isEnded ? 'ended' : state === 'open' ? 'live' : 'lost'
            setFollowed({ events, state: shown })
          },
        },
      )
      return () => stream.close()
    })
  }, [pushId])
  return followed
}
