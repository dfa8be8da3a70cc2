/** The record of a run in the lists of the page. */
import { count, countOf, duration } from '../../lib/format.ts'
import type { Tone } from '../../parts/parts.tsx'

/** A run in the answer of `GET /api/svc/runs`. */
export interface Run {
  readonly run_id: string
  readonly thread_id: string
  /** Absent in the answer of an older service. */
  readonly owner?: { readonly user_id: string }
  readonly status: 'running' | 'finished' | 'failed' | 'cancelled'
  readonly created_at_ms: number
  readonly ended_at_ms: number | null
  readonly first_seq: number
  readonly last_seq: number
  readonly epoch: string
  /** Absent in the answer of an older service. */
  readonly agent?: string | null
  readonly error?: { readonly code: string | null; readonly message: string } | null
}

/** The answer of `GET /api/svc/runs`. */
export interface RunList {
  readonly runs: readonly Run[]
  /** Null if there are no older runs. Absent in the answer of an older service. */
  readonly next?: string | null
  /** Runs that the service has removed since a Unix time in milliseconds. Absent in the answer of an older service. */
  readonly removed?: { readonly count: number; readonly since_ms: number }
}

/** How many runs a list does not have any more, as far as the service knows it. */
export function removedInWords({ removed }: Pick<RunList, 'removed'>, nowMs: number): string {
  if (removed === undefined) return 'This service does not say how many runs it has removed.'
  const { count: number, since_ms } = removed
  const runs = number === 0 ? 'no run' : countOf(number, 'run')
  return `In the last ${duration(nowMs - since_ms)} the service has seen ${runs} removed; it does not know how many before that.`
}

/** Most runs that the service gives in a page. */
const PAGE = 200

/** The colour of each status. */
export const STATUS_TONES: Readonly<Record<Run['status'], Tone>> = {
  running: 'accent',
  finished: 'ok',
  failed: 'bad',
  cancelled: 'warn',
}

/** Number of events that the service still has, and of those that it has removed. */
export function eventCounts({ first_seq, last_seq }: Pick<Run, 'first_seq' | 'last_seq'>): {
  readonly storedEvents: number
  readonly removedEvents: number
} {
  return {
    storedEvents: Math.max(0, last_seq - first_seq + 1),
    removedEvents: Math.max(0, Math.min(first_seq - 1, last_seq)),
  }
}

/** How long a run took, or how long it has been running: `undefined` while it is not known whether it still runs. */
export function lasted(
  { created_at_ms, ended_at_ms }: Pick<Run, 'created_at_ms' | 'ended_at_ms'>,
  nowMs: number | undefined,
): string | undefined {
  if (ended_at_ms !== null) return `took ${duration(ended_at_ms - created_at_ms)}`
  return nowMs === undefined ? undefined : `for ${duration(nowMs - created_at_ms)}`
}

/** The choices of the reader. An empty text means no restriction. */
export interface RunFilter {
  /** A part of the id. */
  readonly search: string
  readonly status: string
  readonly agent: string
  readonly thread: string
}

/** The runs that match a filter, in their order. */
export function filterRuns(runs: readonly Run[], { search, status, agent, thread }: RunFilter): readonly Run[] {
  const text = search.toLowerCase()
  return runs.filter(
    (run) =>
      run.run_id.toLowerCase().includes(text) &&
      (status === '' || run.status === status) &&
      (agent === '' || run.agent === agent) &&
      (thread === '' || run.thread_id === thread),
  )
}

/** The address of a run for a reader who has chosen a user: empty for the own runs, `*` for the runs of all users. */
export function addressOfRun({ run_id, owner }: Pick<Run, 'run_id' | 'owner'>, user: string): string {
  const query = new URLSearchParams(user === '' ? {} : { user })
  if (user === '*' && owner !== undefined) query.set('of', owner.user_id)
  return `/runs/${encodeURIComponent(run_id)}${query.size === 0 ? '' : `?${query}`}`
}

/** The listed runs of the thread of a run. A thread of another user may have the same id. */
export function runsOfThread(runs: readonly Run[], { thread_id, owner }: Run): readonly Run[] {
  return runs.filter((run) => run.thread_id === thread_id && run.owner?.user_id === owner?.user_id)
}

/** How many runs a list has, of whom, that it is cut, and that the service has chosen them. */
export function listInWords({ runs, next }: RunList, by: string, isFiltered: boolean): string {
  return `${next == null ? '' : 'the newest '}${count(runs.length)}${isFiltered ? ' that match' : ''}, by ${by}`
}

/** The path of the list of runs. The service gives the runs of all users in pages, and so it has to choose them. */
export function listPath(user: string, { status, thread }: Pick<RunFilter, 'status' | 'thread'>): string {
  const query = new URLSearchParams({ removed: 'true' })
  if (user !== '*') return `/api/svc/runs?${query}`
  query.set('limit', String(PAGE))
  if (Object.hasOwn(STATUS_TONES, status)) query.set('status', status)
  if (thread !== '') query.set('thread_id', thread)
  return `/api/svc/runs?${query}`
}

/** The different values of a member, in alphabetical order. */
export function valuesOf(runs: readonly Run[], member: 'agent' | 'thread_id'): readonly string[] {
  const values = runs.map((run) => run[member]).filter((value) => value != null)
  return [...new Set(values)].sort()
}
