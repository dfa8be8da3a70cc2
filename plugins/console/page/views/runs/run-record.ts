/** The record of a run in the lists of the page. */
import { duration } from '../../lib/format.ts'
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

/** The colour of each status. */
export const STATUS_TONES: Readonly<Record<Run['status'], Tone>> = {
  running: 'accent',
  finished: 'ok',
  failed: 'bad',
  cancelled: 'warn',
}

/** Number of events that the service still has, and of those that it has removed. */
export function eventCounts({ first_seq, last_seq }: Pick<Run, 'first_seq' | 'last_seq'>): {
  readonly kept: number
  readonly removed: number
} {
  return { kept: Math.max(0, last_seq - first_seq + 1), removed: Math.max(0, Math.min(first_seq - 1, last_seq)) }
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

/** The different values of a member, in alphabetical order. */
export function valuesOf(runs: readonly Run[], member: 'agent' | 'thread_id'): readonly string[] {
  const values = runs.map((run) => run[member]).filter((value) => value != null)
  return [...new Set(values)].sort()
}
