/** Follows the events of a push as they come. */
import { useEffect, useState } from 'preact/hooks'
import { defaultSchedule } from '../../../../client/backoff.ts'
import { EventStream } from '../../../../client/event-stream.ts'
import { base } from '../../lib/router.ts'
import { whileVisible } from '../../lib/while-visible.ts'
import type { ReceiptEvent } from './shapes.ts'

/** Silence after which a connection counts as dead; the service sends something every 15 s. */
const SILENCE_MS = 45_000
/** A service on this machine is back soon. */
const MAX_WAIT_MS = 5_000

/** What is known of the events. */
export interface Followed {
  readonly events: readonly ReceiptEvent[]
  /** `live` while more can come; `ended` when nothing can follow; `lost` while the connection is. */
  readonly state: 'live' | 'ended' | 'lost'
}

/** Follows a push for as long as the component is shown. */
export function useEvents(pushId: string): Followed {
  const [followed, setFollowed] = useState<Followed>({ events: [], state: 'lost' })
  useEffect(() => {
    let events: readonly ReceiptEvent[] = []
    let isEnded = false
    return whileVisible(() => {
      const stream = new EventStream(
        {
          fetch: (input, init) => fetch(input, init),
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
