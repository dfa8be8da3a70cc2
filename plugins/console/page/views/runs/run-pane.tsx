/** One run: its growing timeline and its state. */
import type { JSX } from 'preact'
import { useCallback, useMemo, useState } from 'preact/hooks'
import { chosenUser, forUser } from '../../lib/as-user.ts'
import { connection } from '../../lib/console-fetch.ts'
import { count, countOf, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { at, choiceOf, keepingQuery } from '../../lib/router.ts'
import { session } from '../../lib/service.ts'
import { authorization, runtimeUrl } from '../../lib/shell-commands.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Badge, Copy, Tabs } from '../../parts/parts.tsx'
import { Tree } from '../../parts/tree.tsx'
import { CancelRun } from './cancel-run.tsx'
import { CardLink } from './card-link.tsx'
import { failureInWords, isFailure, itemsWith, numberOf } from './failures.ts'
import { type Followed, type Join, useRun } from './follow.ts'
import { eventCounts, lasted, type Run, runsOfThread, STATUS_TONES } from './run-record.ts'
import type { Item, StateItem, Timeline } from './timeline.ts'
import { JoinBehind } from './timeline-item.tsx'
import { TimelineList } from './timeline-list.tsx'

/**
 * The names of the choices about one run in the address: where it is joined, what is searched for, and which event is
 * chosen.
 */
export const RUN_CHOICES: readonly string[] = ['from', 'find', 'event']

/** Follows a run and shows it. `run` is the record of the run; undefined while the list does not have it. */
export function RunPane({
  runId,
  run,
  runs,
}: {
  readonly runId: string
  readonly run: Run | undefined
  /** The listed runs, for the number of runs of the thread. */
  readonly runs: readonly Run[]
}): JSX.Element {
  const [isCancelling, setCancelling] = useState(false)
  const [from, setFrom] = choiceOf('from')
  const [find, setFind] = choiceOf('find')
  const [event, setEvent] = choiceOf('event')
  const join = useMemo(() => joinOf(from), [from])
  const followed = useRun(runId, join)
  const { timeline, state, reading, isPaused, waiting, setPaused } = followed
  const chosen = event === '' ? undefined : timeline.items.find((item) => numberOf(item) === event)
  const selected = chosen?.kind === 'state' ? chosen : undefined
  const items = useMemo(() => itemsWith(timeline.items, find), [timeline, find])
  const time = run && lasted(run, connection.value === 'up' ? now.value : undefined)
  const joinAt = useCallback((to: Join): void => {
    setEvent('')
    setFrom(to === 'start' ? '' : to === 'snapshot' ? to : to.after)
  }, [])
  const joinBehind = useCallback((after: string) => joinAt({ after }), [])
  const choose = useCallback((item: Item): void => setEvent(numberOf(item) ?? ''), [])
  // The search may hide the failure.
  const show = useCallback((item: Item): void => {
    setFind('')
    choose(item)
  }, [])
  useKeys([{ keys: 'p', does: 'Pause or go on', run: () => setPaused(!isPaused) }])
  return (
    <section class="run" aria-label={`Run ${runId}`}>
      <header class="run-head">
        <a class="run-back" href={at(keepingQuery('/runs', [...RUN_CHOICES, 'of']))}>
          All runs
        </a>
        <h2>{visible(runId)}</h2>
        <StreamBadge followed={followed} run={run} />
        <span class="run-facts">
          {reading.atMs !== undefined && countOf(timeline.events, 'event')}
          {time !== undefined && ` · ${time}`}
          {run?.agent != null && ` · agent ${visible(run.agent, 60)}`}
          {run !== undefined && <ThreadLink run={run} runs={runs} />}
          {run !== undefined && <CardLink threadId={run.thread_id} />}
        </span>
        <div class="run-actions">
          <JoinChoice join={join} onJoin={joinAt} />
          <button type="button" class="small" onClick={() => setPaused(!isPaused)}>
            {isPaused ? `Go on${waiting > 0 ? ` · ${count(waiting)} wait` : ''}` : 'Pause'}
          </button>
          <Copy label="Copy as curl" text={() => curlOf(runId, join)} />
          {run?.status === 'running' && session.value?.isWritable === true && (
            <button type="button" class="small" onClick={() => setCancelling(true)}>
              Cancel the run
            </button>
          )}
        </div>
      </header>
      <div class="run-notes">
        <Failure run={run} timeline={timeline} onShow={show} />
        <Search find={find} onFind={setFind} matchCount={items.length} of={timeline.items.length} />
        <Datum of={reading} name={`the events of ${visible(runId, 40)}`} isOfConsole={state === 'stopped'}>
          {() => join === 'start' && run !== undefined && <Removed run={run} />}
        </Datum>
      </div>
      <div class={`run-body${timeline.state === undefined ? '' : ' run-with-state'}`}>
        {reading.atMs !== undefined && (
          <JoinBehind.Provider value={joinBehind}>
            <TimelineList key={find} items={items} chosen={chosen} onChoose={choose} isFiltered={find.trim() !== ''} />
          </JoinBehind.Provider>
        )}
        {timeline.state !== undefined && (
          <StatePane timeline={timeline} selected={selected} onClear={() => setEvent('')} />
        )}
      </div>
      {isCancelling && <CancelRun runId={runId} onClose={() => setCancelling(false)} />}
    </section>
  )
}

/** Where the reader joins the run, from the address: `snapshot`, a position, or the start. */
function joinOf(from: string): Join {
  return from === '' ? 'start' : from === 'snapshot' ? from : { after: from }
}

/** What failed, at the top: the end of the run, and the first failure in it with a button that shows it. */
function Failure({
  run,
  timeline: { items },
  onShow,
}: {
  readonly run: Run | undefined
  readonly timeline: Timeline
  readonly onShow: (item: Item) => void
}): JSX.Element | null {
  const failures = useMemo(() => items.filter(isFailure), [items])
  const [first] = failures
  if (run?.error == null && first === undefined) return null
  return (
    <section class="run-failure" aria-label="Failure">
      {run?.error != null && (
        <p>
          <strong>Failed:</strong> {run.error.code !== null && <code>{visible(run.error.code, 80)}</code>}{' '}
          {visible(run.error.message, 600)}
        </p>
      )}
      {first !== undefined && (
        <p>
          {countOf(failures.length, 'failure')} in the events; the first one: {visible(failureInWords(first), 300)}{' '}
          {numberOf(first) !== undefined && (
            <button type="button" class="small" onClick={() => onShow(first)}>
              Show the first failure
            </button>
          )}
        </p>
      )}
    </section>
  )
}

/** Searches in the events of the run. */
function Search({
  find,
  onFind,
  matchCount,
  of,
}: {
  readonly find: string
  readonly onFind: (text: string) => void
  readonly matchCount: number
  readonly of: number
}): JSX.Element {
  return (
    <div class="run-search">
      <input
        type="search"
        placeholder="Search in this run"
        aria-label="Search in the events of this run"
        value={find}
        onInput={({ currentTarget }) => onFind(currentTarget.value)}
      />
      <span role="status">{find.trim() !== '' && `${count(matchCount)} of ${countOf(of, 'item')}`}</span>
    </div>
  )
}

/** Says that a run does not begin at its first event, and why. */
function Removed({ run }: { readonly run: Run }): JSX.Element | null {
  const { removedEvents } = eventCounts(run)
  if (removedEvents === 0) return null
  return (
    <p class="run-removed" role="note">
      The run begins here at event {count(run.first_seq)}: {countOf(removedEvents, 'earlier event')}{' '}
      {removedEvents === 1 ? 'is' : 'are'} missing. The service keeps the newest events of a run, up to{' '}
      <code>realtime.run_max_events</code> and <code>realtime.run_max_bytes</code>, and has removed the older ones.
      “From a snapshot” shows the messages and the state with them.
    </p>
  )
}

function ThreadLink({ run, runs }: { readonly run: Run; readonly runs: readonly Run[] }): JSX.Element {
  const { thread_id } = run
  const user = chosenUser()
  const query = new URLSearchParams({ thread: thread_id, ...(user !== '' && { user }) })
  return (
    <>
      {' · '}
      <a href={at(`/runs?${query}`)}>
        thread {visible(thread_id, 40)}, {countOf(runsOfThread(runs, run).length, 'run')}
      </a>
    </>
  )
}

/** Shows the status of the run, or that it is followed. Nothing if neither is known. */
function StreamBadge({
  followed: { state, reading },
  run,
}: {
  readonly followed: Followed
  readonly run: Run | undefined
}): JSX.Element | null {
  if (state === 'open') return <Badge tone="accent">live</Badge>
  if (state !== 'stopped' || reading.error !== undefined) return null
  return run === undefined ? <Badge>ended</Badge> : <Badge tone={STATUS_TONES[run.status]}>{run.status}</Badge>
}

function JoinChoice({ join, onJoin }: { readonly join: Join; readonly onJoin: (join: Join) => void }): JSX.Element {
  return (
    <Tabs
      label="Where to join the run"
      of={[
        ['start', 'From the start'],
        ['snapshot', 'From a snapshot'],
        ...(typeof join === 'object'
          ? ([['after', `After #${join.after.slice(join.after.lastIndexOf('-') + 1)}`]] as const)
          : []),
      ]}
      value={typeof join === 'object' ? 'after' : join}
      onChoose={(to) => to !== 'after' && onJoin(to)}
    />
  )
}

/** The request of the page as a shell command. */
function curlOf(runId: string, join: Join): string {
  const query =
    join === 'snapshot' ? '?stream_mode=agui_spec' : typeof join === 'object' ? `?last_event_id=${join.after}` : ''
  return `curl -N ${authorization()} ${runtimeUrl(forUser(`/api/svc/runs/${encodeURIComponent(runId)}/stream${query}`))}`
}

function StatePane({
  timeline,
  selected,
  onClear,
}: {
  readonly timeline: Timeline
  readonly selected: StateItem | undefined
  readonly onClear: () => void
}): JSX.Element {
  const state = useMemo(
    () => (selected === undefined ? timeline.state : timeline.stateAfter(selected)),
    [selected, selected === undefined ? timeline.state : undefined],
  )
  const marked = new Set((selected?.operations ?? []).map(({ path }) => path))
  return (
    <aside class="run-state" aria-label="State">
      <div class="panel-head">
        <h3>{selected === undefined ? 'State now' : 'State after the chosen change'}</h3>
        {selected !== undefined && (
          <button type="button" class="quiet small" onClick={onClear}>
            Show the state now
          </button>
        )}
      </div>
      <Tree value={state} openDepth={3} marked={marked} />
    </aside>
  )
}
