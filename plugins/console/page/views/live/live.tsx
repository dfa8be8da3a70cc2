/** Live: the entity changes of all topics as they arrive. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveState, StreamReason } from '../../../../client/index.ts'
import { client } from '../../lib/client.ts'
import { clockTime, count, countOf, fullTime, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { usePausable } from '../../lib/pausable.ts'
import { choiceOf } from '../../lib/router.ts'
import { createRunCommand } from '../../lib/shell-commands.ts'
import { useStreamReading } from '../../lib/stream-reading.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Copy, Empty, Head } from '../../parts/parts.tsx'
import { Tree } from '../../parts/tree.tsx'
import { Windowed } from '../../parts/windowed.tsx'
import type { View } from '../view.tsx'
import { type Arrived, arrived, createLiveLog, type LiveLog, type Logged } from './live-log.ts'
import './live.css'

/** The view. */
export const live: View = { title: 'Live', path: 'live', key: 'l', icon: 'live', needs: ['live'], component: Live }

const ROW_HEIGHT = 32

function Live(): JSX.Element {
  const log = useRef(createLiveLog())
  const [shown, setShown] = useState<LiveLog>(() => log.current.now())
  const { isPaused, waiting, setPaused, begin } = usePausable<Arrived>()
  const [[state, reason], setState] = useState<readonly [LiveState, StreamReason | undefined]>([
    client.live.state,
    undefined,
  ])
  const [topicChoice, setTopic] = choiceOf('topic')
  const [search, setSearch] = choiceOf('q')
  const topic = topicChoice === '' ? undefined : topicChoice
  const reading = useStreamReading({
    data: shown,
    state,
    reason,
    missing: 'This service has no stream of entity changes.',
  })
  const [chosen, setChosen] = useState<Logged | undefined>(undefined)
  useEffect(() => {
    const batches = begin({
      take: (event) => log.current.add(event),
      done: () => setShown(log.current.now()),
      sizeOf: ({ text }) => text.length,
    })
    const ends = [
      client.live.onState((to, why) => setState([to, why])),
      client.live.on('*', (event) => batches.add(arrived(event))),
      batches.close,
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [])
  useEffect(() => filter(topic, search), [])
  const filter = (nextTopic: string | undefined, text: string): void => {
    setTopic(nextTopic ?? '')
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
    { keys: 'p', does: 'Pause or go on', run: () => setPaused(!isPaused) },
    { keys: 'c', does: 'Clear the list', run: clear },
    { keys: 'Escape', does: 'Close the event', run: () => setChosen(undefined) },
  ])
  return (
    <div class="live">
      <Head
        title="Live"
        about={
          reading.atMs !== undefined &&
          `${countOf(shown.total, 'event')}${shown.dropped > 0 ? ` · ${count(shown.dropped)} dropped by the server` : ''}`
        }
      >
        {state === 'open' && <Badge tone="accent">live</Badge>}
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
      <Datum
        of={reading}
        name="the changes"
        hasNoMatch={() => shown.shown.length === 0}
        empty={() =>
          shown.total === 0 ? (
            <Empty title="Nothing has happened since this page was opened" command={createRunCommand()}>
              Changes of every topic of this tenant appear here as they arrive. Runs and boards publish their changes.
              For the changes of boards, start <code>svc console --scope kbd:read</code>.
            </Empty>
          ) : undefined
        }
      />
      {shown.total > 0 && (
        <div class={`live-panes${chosen === undefined ? '' : ' live-chosen'}`}>
          <Windowed
            class="live-list"
            place="live"
            label="Events"
            rows={shown.shown}
            rowHeight={ROW_HEIGHT}
            keyOf={({ number }) => number}
            recycles
            followsEnd
            render={(logged) => (
              <Row logged={logged} isChosen={logged.number === chosen?.number} onChoose={setChosen} />
            )}
          />
          {chosen !== undefined && <Detail logged={chosen} onClose={() => setChosen(undefined)} />}
        </div>
      )}
    </div>
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
          {visible(name, 60)} <span class="topic-count">{count(events)}</span>
        </button>
      ))}
    </fieldset>
  )
}

function Row({
  logged,
  isChosen,
  onChoose,
}: {
  readonly logged: Logged
  readonly isChosen: boolean
  readonly onChoose: (logged: Logged) => void
}): JSX.Element {
  const { event, atMs, text } = logged
  return (
    <button type="button" class="live-row" aria-pressed={isChosen} onClick={() => onChoose(logged)}>
      <span class="live-time">{clockTime(atMs)}</span>
      <span class="live-topic">{visible(event.topic, 60)}</span>
      <span class="live-operation">{visible(event.operation, 40)}</span>
      <span class="live-identifier">{visible(event.identifier, 120)}</span>
      <span class="live-data">{visible(text, 200)}</span>
    </button>
  )
}

function Detail({
  logged: { event, number, atMs },
  onClose,
}: {
  readonly logged: Logged
  readonly onClose: () => void
}): JSX.Element {
  return (
    <aside class="live-detail" aria-label="Event">
      <div class="panel-head">
        <h2>
          Event {count(number)}, {fullTime(atMs)}
        </h2>
        <div class="head-actions">
          <Copy text={() => JSON.stringify(event, null, 2)} />
          <button type="button" class="quiet small" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
      <Tree value={event} openDepth={4} />
    </aside>
  )
}
