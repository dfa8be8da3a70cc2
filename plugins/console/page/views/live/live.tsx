/** Live: entity changes of all topics as they come. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveEvent, LiveState } from '../../../../client/index.ts'
import { type Batches, createBatches } from '../../lib/batches.ts'
import { client } from '../../lib/client.ts'
import { clockTime, count, countOf, fullTime, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { createRunCommand } from '../../lib/shell-commands.ts'
import { Badge, Copy, Empty, Head } from '../../parts/parts.tsx'
import { Tree } from '../../parts/tree.tsx'
import { Windowed } from '../../parts/windowed.tsx'
import type { View } from '../view.ts'
import { createLiveLog, type LiveLog, type Logged } from './live-log.ts'
import './live.css'

/** The view. */
export const live: View = { title: 'Live', path: 'live', key: 'l', icon: 'live', needs: ['live'], component: Live }

const ROW_HEIGHT = 32

function Live(): JSX.Element {
  const log = useRef(createLiveLog())
  const batches = useRef<Batches<readonly [LiveEvent, number]> | undefined>(undefined)
  const [shown, setShown] = useState<LiveLog>(() => log.current.now())
  const [waiting, setWaiting] = useState(0)
  const [isPaused, setPausedState] = useState(false)
  const [state, setState] = useState<LiveState>(client.live.state)
  const [topic, setTopic] = useState<string | undefined>(undefined)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Logged | undefined>(undefined)
  useEffect(() => {
    const taking = createBatches<readonly [LiveEvent, number]>({
      take: ([event, atMs]) => log.current.add(event, atMs),
      done: () => setShown(log.current.now()),
      waits: setWaiting,
    })
    batches.current = taking
    const ends = [
      client.live.onState(setState),
      client.live.on('*', (event) => taking.add([event, Date.now()])),
      taking.close,
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  const setPaused = (to: boolean): void => {
    setPausedState(to)
    if (!to) setWaiting(0)
    batches.current?.setPaused(to)
  }
  const filter = (nextTopic: string | undefined, text: string): void => {
    setTopic(nextTopic)
    setSearch(text)
    log.current.setFilter({ topic: nextTopic, text })
    setShown(log.current.now())
  }
  const clear = (): void => {
    log.current.clear()
    setChosen(undefined)
    setShown(log.current.now())
  }
  useKeys([
    { keys: 'p', does: 'Pause, or go on', run: () => setPaused(!isPaused) },
    { keys: 'c', does: 'Clear what is shown', run: clear },
    { keys: 'Escape', does: 'Close the event', run: () => setChosen(undefined) },
  ])
  return (
    <div class="live">
      <Head
        title="Live"
        about={`${countOf(shown.total, 'event')}${shown.dropped > 0 ? ` · ${count(shown.dropped)} dropped by the server` : ''}`}
      >
        <StateBadge state={state} />
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter events"
          value={search}
          onInput={(event) => filter(topic, event.currentTarget.value)}
        />
        <button type="button" onClick={() => setPaused(!isPaused)}>
          {isPaused ? `Go on${waiting > 0 ? ` · ${count(waiting)} wait` : ''}` : 'Pause'}
        </button>
        <button type="button" class="quiet" onClick={clear}>
          Clear
        </button>
      </Head>
      <Topics topics={shown.topics} chosen={topic} onChoose={(to) => filter(to, search)} />
      {shown.total === 0 ? (
        <Empty title="Nothing has happened yet" command={createRunCommand()}>
          Changes of every topic in this tenant appear here as they come. Boards, receipts and runs publish by
          themselves.
        </Empty>
      ) : (
        <div class={`live-panes${chosen === undefined ? '' : ' live-chosen'}`}>
          <Windowed
            class="live-list"
            label="Events"
            rows={shown.shown}
            rowHeight={ROW_HEIGHT}
            keyOf={({ number }) => number}
            followsEnd
            render={(event) => <Row event={event} isChosen={event.number === chosen?.number} onChoose={setChosen} />}
          />
          {chosen !== undefined && <Detail event={chosen} onClose={() => setChosen(undefined)} />}
        </div>
      )}
    </div>
  )
}

function StateBadge({ state }: { readonly state: LiveState }): JSX.Element {
  if (state === 'open') return <Badge tone="accent">live</Badge>
  return (
    <Badge tone={state === 'waiting' || state === 'stopped' ? 'warn' : 'plain'}>
      {state === 'waiting' ? 'reconnecting' : state}
    </Badge>
  )
}

function Topics({
  topics,
  chosen,
  onChoose,
}: {
  readonly topics: LiveLog['topics']
  readonly chosen: string | undefined
  readonly onChoose: (topic: string | undefined) => void
}): JSX.Element | null {
  if (topics.length === 0) return null
  return (
    <fieldset class="topics" aria-label="Topics">
      <button type="button" class="small" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
        All topics
      </button>
      {topics.slice(0, 40).map(([name, events]) => (
        <button key={name} type="button" class="small" aria-pressed={chosen === name} onClick={() => onChoose(name)}>
          {visible(name.slice(0, 60))} <span class="topic-count">{count(events)}</span>
        </button>
      ))}
    </fieldset>
  )
}

function Row({
  event,
  isChosen,
  onChoose,
}: {
  readonly event: Logged
  readonly isChosen: boolean
  readonly onChoose: (event: Logged) => void
}): JSX.Element {
  return (
    <button type="button" class="live-row" aria-pressed={isChosen} onClick={() => onChoose(event)}>
      <span class="live-time">{clockTime(event.atMs)}</span>
      <span class="live-topic">{visible(event.topic.slice(0, 60))}</span>
      <span class="live-operation">{visible(event.operation.slice(0, 40))}</span>
      <span class="live-identifier">{visible(event.identifier.slice(0, 120))}</span>
      <span class="live-data">{visible((JSON.stringify(event.data) ?? '').slice(0, 200))}</span>
    </button>
  )
}

function Detail({ event, onClose }: { readonly event: Logged; readonly onClose: () => void }): JSX.Element {
  const { number, atMs, ...sent } = event
  return (
    <aside class="live-detail" aria-label="Event">
      <div class="panel-head">
        <h2>
          Event {count(number)}, {fullTime(atMs)}
        </h2>
        <div class="head-actions">
          <Copy text={() => JSON.stringify(sent, null, 2)} />
          <button type="button" class="quiet small" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
      <Tree value={sent} openDepth={4} />
    </aside>
  )
}
