/** One run: its growing timeline and its state. */
import type { JSX } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { count, countOf, duration, visible } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { now } from '../../lib/now.ts'
import { at } from '../../lib/router.ts'
import { authorization, runtimeUrl } from '../../lib/shell-commands.ts'
import { Badge, Copy, Tabs } from '../../parts/parts.tsx'
import { Tree } from '../../parts/tree.tsx'
import { type Followed, type Join, useRun } from './follow.ts'
import { type Run, STATUS_TONES } from './runs.tsx'
import type { StateItem } from './timeline.ts'
import { JoinBehind } from './timeline-item.tsx'
import { TimelineList } from './timeline-list.tsx'

/** Follows a run and shows it. `run` is the record of the run; undefined while the list does not have it. */
export function RunPane({ runId, run }: { readonly runId: string; readonly run: Run | undefined }): JSX.Element {
  const [join, setJoin] = useState<Join>('start')
  const [selected, setSelected] = useState<StateItem | undefined>(undefined)
  const followed = useRun(runId, join)
  const { timeline, isPaused, waiting, setPaused } = followed
  const joinAt = useCallback((to: Join): void => {
    setSelected(undefined)
    setJoin(to)
  }, [])
  const joinBehind = useCallback((after: string) => joinAt({ after }), [])
  useKeys([{ keys: 'p', does: 'Pause or go on', run: () => setPaused(!isPaused) }])
  return (
    <section class="run" aria-label={`Run ${runId}`}>
      <header class="run-head">
        <a class="run-back" href={at('/runs')}>
          All runs
        </a>
        <h2>{visible(runId)}</h2>
        <StreamBadge followed={followed} run={run} />
        <span class="run-facts">
          {countOf(timeline.events, 'event')}
          {run !== undefined && ` · ${lasted(run)}`}
        </span>
        <div class="run-actions">
          <JoinChoice join={join} onJoin={joinAt} />
          <button type="button" class="small" onClick={() => setPaused(!isPaused)}>
            {isPaused ? `Go on${waiting > 0 ? ` · ${count(waiting)} wait` : ''}` : 'Pause'}
          </button>
          <Copy label="Copy as curl" text={() => curlOf(runId, join)} />
        </div>
      </header>
      <div class={`run-body${timeline.state === undefined ? '' : ' run-with-state'}`}>
        <JoinBehind.Provider value={joinBehind}>
          <TimelineList timeline={timeline} selected={selected} onSelect={setSelected} />
        </JoinBehind.Provider>
        {timeline.state !== undefined && (
          <StatePane timeline={timeline.state} selected={selected} onClear={() => setSelected(undefined)} />
        )}
      </div>
    </section>
  )
}

function lasted({ created_at_ms, ended_at_ms }: Run): string {
  return ended_at_ms === null
    ? `for ${duration(now.value - created_at_ms)}`
    : `took ${duration(ended_at_ms - created_at_ms)}`
}

/** Shows the state of the stream, or the status of the run after a normal end of the stream. */
function StreamBadge({
  followed: { state, reason },
  run,
}: {
  readonly followed: Followed
  readonly run: Run | undefined
}): JSX.Element {
  if (state === 'open') return <Badge tone="accent">live</Badge>
  if (state === 'waiting') return <Badge tone="warn">{`reconnecting: ${reason?.text ?? ''}`}</Badge>
  if (state === 'connecting') return <Badge>connecting</Badge>
  if (reason?.status !== undefined && reason.status >= 400) return <Badge tone="bad">{reason.text}</Badge>
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
  return `curl -N ${authorization()} ${runtimeUrl(`/api/svc/runs/${encodeURIComponent(runId)}/stream${query}`)}`
}

function StatePane({
  timeline: newest,
  selected,
  onClear,
}: {
  readonly timeline: unknown
  readonly selected: StateItem | undefined
  readonly onClear: () => void
}): JSX.Element {
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
      <Tree value={selected === undefined ? newest : selected.state} openDepth={3} marked={marked} />
    </aside>
  )
}
