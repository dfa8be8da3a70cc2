/** Runs: the runs of the console's user, and the timeline of one run. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { count, visible } from '../../lib/format.ts'
import { useListKeys } from '../../lib/list-keys.ts'
import { useLoad } from '../../lib/load.ts'
import { at, path } from '../../lib/router.ts'
import { runtime, session } from '../../lib/service.ts'
import { createRunCommand } from '../../lib/shell-commands.ts'
import { Ago, Badge, Empty, Head, Refusal, type Tone } from '../../parts/parts.tsx'
import { Windowed } from '../../parts/windowed.tsx'
import type { View } from '../view.ts'
import { RunPane } from './run-pane.tsx'
import './runs.css'

/** A run in the answer of `GET /api/svc/runs`. */
export interface Run {
  readonly run_id: string
  readonly thread_id: string
  readonly status: 'running' | 'finished' | 'failed' | 'cancelled'
  readonly created_at_ms: number
  readonly ended_at_ms: number | null
  readonly first_seq: number
  readonly last_seq: number
  readonly epoch: string
}

/** The colour of each status. */
export const STATUS_TONES: Readonly<Record<Run['status'], Tone>> = {
  running: 'accent',
  finished: 'ok',
  failed: 'bad',
  cancelled: 'warn',
}

/** The view. */
export const runs: View = { title: 'Runs', path: 'runs', key: 'r', icon: 'runs', needs: ['runs'], component: Runs }

const ROW_HEIGHT = 60

function Runs(): JSX.Element {
  const { data, error } = useLoad(
    (stop) => runtime<{ readonly runs: readonly Run[] }>('/api/svc/runs', { signal: stop }),
    {
      everyMs: 2_000,
    },
  )
  const [search, setSearch] = useState('')
  const chosen = path.value[1]
  const all = data?.runs ?? []
  const found = useMemo(
    () => all.filter(({ run_id }) => run_id.toLowerCase().includes(search.toLowerCase())),
    [data, search],
  )
  const index = found.findIndex(({ run_id }) => run_id === chosen)
  useListKeys({ thing: 'run', rows: found, index, list: '/runs', addressOf: ({ run_id }) => runAddress(run_id) })
  return (
    <div class={`runs${chosen === undefined ? '' : ' runs-chosen'}`}>
      <Head
        title="Runs"
        about={data !== undefined && `${count(all.length)}, by ${session.value?.runtime?.user ?? 'this key'}`}
      >
        <input
          type="search"
          placeholder="Search by id"
          aria-label="Search runs by id"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </Head>
      {error !== undefined && <Refusal error={error} />}
      {data !== undefined && all.length === 0 && (
        <Empty title="No runs yet" command={createRunCommand()}>
          A run appears here as soon as an agent creates one as this user.
        </Empty>
      )}
      {all.length > 0 && (
        <div class="runs-panes">
          <Windowed
            class="runs-list"
            label="Runs"
            rows={found}
            rowHeight={ROW_HEIGHT}
            keyOf={({ run_id }) => run_id}
            showIndex={index < 0 ? undefined : index}
            render={(run) => <Row run={run} isChosen={run.run_id === chosen} />}
          />
          {chosen === undefined ? (
            <Empty title="Choose a run">Its events appear here as they arrive.</Empty>
          ) : (
            <RunPane key={chosen} runId={chosen} run={all.find(({ run_id }) => run_id === chosen)} />
          )}
        </div>
      )}
    </div>
  )
}

function runAddress(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`
}

function Row({ run, isChosen }: { readonly run: Run; readonly isChosen: boolean }): JSX.Element {
  return (
    <a class="list-link run-row" href={at(runAddress(run.run_id))} aria-current={isChosen ? 'true' : undefined}>
      <span class="run-id">{visible(run.run_id)}</span>
      <Badge tone={STATUS_TONES[run.status]}>{run.status}</Badge>
      <span class="run-facts">
        {count(run.last_seq)} events · <Ago timeMs={run.created_at_ms} />
      </span>
    </a>
  )
}
