/** Runs: the runs of the console's user, and the timeline of one run. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { chosenUser } from '../../lib/as-user.ts'
import { connection } from '../../lib/console-fetch.ts'
import { count, countOf, duration, visible } from '../../lib/format.ts'
import { useListKeys } from '../../lib/keys.ts'
import { useLoad } from '../../lib/load.ts'
import { useOperator } from '../../lib/operator.ts'
import { at, keepingQuery, path, query } from '../../lib/router.ts'
import { runtime, session } from '../../lib/service.ts'
import { createRunCommand } from '../../lib/shell-commands.ts'
import { now } from '../../lib/while-visible.ts'
import { Datum } from '../../parts/datum.tsx'
import { Ago, Badge, Empty, Head } from '../../parts/parts.tsx'
import { UserChoice } from '../../parts/user-choice.tsx'
import { Windowed } from '../../parts/windowed.tsx'
import type { View } from '../view.tsx'
import { filterOfAddress, RunFilters } from './run-filters.tsx'
import { RUN_CHOICES, RunPane } from './run-pane.tsx'
import {
  eventCounts,
  filterRuns,
  lasted,
  listInWords,
  listPath,
  type Run,
  type RunList,
  removedInWords,
  STATUS_TONES,
} from './run-record.ts'
import './runs.css'

/** The view. */
export const runs: View = { title: 'Runs', path: 'runs', key: 'r', icon: 'runs', needs: ['runs'], component: Runs }

const ROW_HEIGHT = 60
const FAILED_ROW_HEIGHT = 80

function Runs(): JSX.Element {
  const chosenOwner = chosenUser()
  const { seesRuns } = useOperator()
  const filter = filterOfAddress()
  const list = listPath(chosenOwner, filter)
  // Whether the service has chosen the runs of the list.
  const isFiltered = list !== listPath(chosenOwner, { status: '', thread: '' })
  const listed = useLoad((stop) => runtime<RunList>(list, { signal: stop }), {
    everyMs: 2_000,
    inputs: [chosenOwner, list],
  })
  const chosen = path.value[1]
  const all = listed.data?.runs ?? []
  const shownRuns = useMemo(() => filterRuns(all, filter), [listed.data, ...Object.values(filter)])
  const owner = query.value.get('of')
  const isChosen = (run: Run): boolean => run.run_id === chosen && (owner === null || run.owner?.user_id === owner)
  const index = shownRuns.findIndex(isChosen)
  useListKeys({
    thing: 'run',
    rows: shownRuns,
    index,
    list: keepingQuery('/runs', RUN_CHOICES),
    addressOf: runAddress,
  })
  const ownUser = session.value?.runtime?.user ?? 'this key'
  const user = chosenOwner === '' ? ownUser : chosenOwner === '*' ? 'all users' : chosenOwner
  const owners = [...new Set(all.flatMap(({ owner }) => owner?.user_id ?? []))]
  return (
    <div class={`runs${chosen === undefined ? '' : ' runs-chosen'}`}>
      <Head
        title="Runs"
        about={
          listed.data !== undefined &&
          `${listInWords(listed.data, visible(user, 60), isFiltered)}${removedIn(listed.data)}`
        }
      >
        {seesRuns && <UserChoice users={owners} />}
        <RunFilters runs={all} />
      </Head>
      <Datum
        of={listed}
        name="the runs"
        hasNoMatch={() => shownRuns.length === 0}
        empty={(list) =>
          list.runs.length === 0 && chosen === undefined && !isFiltered ? (
            <Empty title="No runs yet" command={createRunCommand()}>
              A run appears here as soon as an agent creates one as this user. {KEPT} {removedInWords(list, now.value)}
            </Empty>
          ) : undefined
        }
      >
        {(list) => (
          <div class="runs-panes">
            <Windowed
              class="runs-list"
              place="runs"
              label="Runs"
              rows={shownRuns}
              rowHeight={heightOf}
              keyOf={({ run_id }) => run_id}
              showIndex={index < 0 ? undefined : index}
              render={(run) => <Row run={run} isChosen={isChosen(run)} />}
            />
            {chosen === undefined ? (
              <Empty title="Choose a run">
                Its events appear here as they arrive. {KEPT} {removedInWords(list, now.value)}
              </Empty>
            ) : (
              <RunPane
                key={`${chosen} ${query.value.get('of') ?? ''}`}
                runId={chosen}
                run={all.find(isChosen)}
                runs={all}
              />
            )}
          </div>
        )}
      </Datum>
    </div>
  )
}

/** How many runs the list does not have any more; nothing if the service has removed none, or does not say it. */
function removedIn({ removed }: RunList): string {
  if (removed === undefined || removed.count === 0) return ''
  return `; ${count(removed.count)} removed in the last ${duration(now.value - removed.since_ms)}`
}

/** Why runs are not in the list any more. */
const KEPT =
  'The service removes runs that have ended: after realtime.finished_run_ttl_ms, and all but the newest realtime.max_finished_runs.'

function heightOf({ error }: Run): number {
  return error == null ? ROW_HEIGHT : FAILED_ROW_HEIGHT
}

/**
 * The address of a run, with the filters of the list and without the choices about another run. Among the runs of all
 * users it has the user of the run.
 */
function runAddress({ run_id, owner }: Run): string {
  const [path, search] = keepingQuery(`/runs/${encodeURIComponent(run_id)}`, RUN_CHOICES).split('?')
  const next = new URLSearchParams(search)
  if (next.get('user') === '*' && owner !== undefined) next.set('of', owner.user_id)
  else next.delete('of')
  return `${path}${next.size === 0 ? '' : `?${next}`}`
}

function Row({ run, isChosen }: { readonly run: Run; readonly isChosen: boolean }): JSX.Element {
  const { run_id, status, created_at_ms, agent, error, owner } = run
  const { storedEvents, removedEvents } = eventCounts(run)
  const time = lasted(run, connection.value === 'up' ? now.value : undefined)
  return (
    <a class="list-link run-row" href={at(runAddress(run))} aria-current={isChosen ? 'true' : undefined}>
      <span class="run-id">{visible(run_id)}</span>
      <Badge tone={STATUS_TONES[status]}>{status}</Badge>
      <span class="run-facts">
        {chosenUser() === '*' && owner !== undefined && <span dir="auto">{visible(owner.user_id, 40)} · </span>}
        {agent != null && `${visible(agent, 40)} · `}
        {countOf(storedEvents, 'event')}
        {removedEvents > 0 && `, ${count(removedEvents)} removed`}
        {' · '}
        <Ago timeMs={created_at_ms} />
        {time !== undefined && ` · ${time}`}
      </span>
      {error != null && (
        <span class="run-error">
          {error.code !== null && `${visible(error.code, 60)}: `}
          {visible(error.message, 160)}
        </span>
      )}
    </a>
  )
}
