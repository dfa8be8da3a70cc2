/**
 * `svc/react`: runs and entity changes for components of React. Nothing is opened while a page is rendered on a server.
 */
import { useMemo, useSyncExternalStore } from 'react'
import type { StreamReason, StreamState } from '../event-stream.ts'
import type { Client } from '../index.ts'
import type { LiveEvent, LiveState } from '../live-stream.ts'
import type { RunEvent } from '../run-event.ts'
import type { RunGap } from '../run-stream.ts'
import { createStore, type Store } from './store.ts'

/** What a component sees of a run. */
export interface RunView {
  /** The events so far; another array after each change. */
  readonly events: readonly RunEvent[]
  /** The state of the stream; `idle` without a run, and on a server. */
  readonly state: StreamState | 'idle'
  /** Why the stream waits or has stopped. */
  readonly reason?: StreamReason
  /** Set if the service no longer had all events. */
  readonly gap?: RunGap
}

/** What a component sees of the entities of a topic. */
export interface LiveView<Data = unknown> {
  /**
   * The last change of each entity by its identifier, since the component is there and nothing was missed. It is laid
   * over what the component has read.
   */
  readonly changes: ReadonlyMap<string, LiveEvent<Data>>
  /** How often changes may have been missed. Each time, read the entities again. */
  readonly missed: number
  /** The state of the shared stream; `idle` on a server. */
  readonly state: LiveState
}

const noRun: RunView = { events: [], state: 'idle' }
const nothing: LiveView<never> = { changes: new Map(), missed: 0, state: 'idle' }

/**
 * Follows a run until it ends. Without an id nothing is followed.
 *
 * @example
 * ```ts
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 * import { createClient } from 'svc/client'
 * import { useRun } from 'svc/react'
 *
 * const client = createClient({ baseUrl: 'http://localhost:8787', token: 'a token' })
 * function Run({ id }: { readonly id: string }) {
 *   const { events, state } = useRun(client, id)
 *   return createElement('p', null, `${state}: ${events.length} events`)
 * }
 * renderToString(createElement(Run, { id: 'r1' })) // → '<p>idle: 0 events</p>'
 * ```
 */
export function useRun(client: Pick<Client, 'run'>, runId: string | undefined): RunView {
  return useStore(useMemo(() => runStore(client, runId), [client, runId]))
}

/**
 * Follows the changes of a topic. All components of a client share one stream.
 *
 * @example
 * ```ts
 * import { createElement } from 'react'
 * import { renderToString } from 'react-dom/server'
 * import { createClient } from 'svc/client'
 * import { useLive } from 'svc/react'
 *
 * const client = createClient({ baseUrl: 'http://localhost:8787', token: 'a token' })
 * function Changed() {
 *   const { changes, missed } = useLive(client, 'todos')
 *   return createElement('p', null, `${changes.size} changed, ${missed} times something was missed`)
 * }
 * renderToString(createElement(Changed)) // → '<p>0 changed, 0 times something was missed</p>'
 * ```
 */
export function useLive<Data = unknown>(client: Pick<Client, 'live'>, topic: string): LiveView<Data> {
  return useStore(useMemo(() => liveStore<Data>(client, topic), [client, topic]))
}

function useStore<View>({ subscribe, view, idle }: Store<View>): View {
  return useSyncExternalStore(subscribe, view, idle)
}

function runStore(client: Pick<Client, 'run'>, runId: string | undefined): Store<RunView> {
  const events: RunEvent[] = []
  let rest: Omit<RunView, 'events'> = noRun
  let lastEventId: string | undefined
  return createStore(noRun, {
    // React opens, closes and opens again in its strict mode. What has come stays, and the stream resumes behind it.
    open: (changed) => {
      if (runId === undefined) return () => {}
      const update = (more: Partial<typeof rest>): void => {
        rest = { ...rest, ...more }
        changed()
      }
      const following = client.run(runId, {
        ...(lastEventId !== undefined && { lastEventId }),
        onEvent: (event, id) => {
          lastEventId = id
          events.push(event)
          changed()
        },
        onGap: (gap) => update({ gap }),
        onState: (state, reason) => {
          const { reason: _, ...others } = rest
          rest = others
          update({ state, ...(reason && { reason }) })
        },
      })
      return () => following.close()
    },
    read: () => ({ ...rest, events: [...events] }),
  })
}

function liveStore<Data>({ live }: Pick<Client, 'live'>, topic: string): Store<LiveView<Data>> {
  const changes = new Map<string, LiveEvent<Data>>()
  let missed = 0
  let wasOpen = false
  return createStore<LiveView<Data>>(nothing, {
    open: (changed) => {
      const miss = (): void => {
        changes.clear()
        missed++
        changed()
      }
      const closing = [
        live.on<Data>(topic, (event) => {
          changes.set(event.identifier, event)
          changed()
        }),
        // The service has left out events.
        live.on('$svc', ({ operation }) => {
          if (operation !== 'ready') miss()
        }),
        live.onState((state) => {
          if (state === 'open' && wasOpen) miss()
          wasOpen ||= state === 'open'
          changed()
        }),
      ]
      // Another component may have opened the stream before.
      if (live.state === 'open' && wasOpen) miss()
      wasOpen ||= live.state === 'open'
      changed()
      return () => {
        for (const close of closing) close()
      }
    },
    read: () => ({ changes: new Map(changes), missed, state: live.state }),
  })
}
