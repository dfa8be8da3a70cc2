/** Reads the facts about the service that its verdict needs, beside its readiness and its metrics. */
import type { Conflict } from '../../../../kbd/api.ts'
import type { Day } from '../../../../telemetry/api.ts'
import type { StoreReport } from '../../../session.ts'
import { isNoAnswer } from '../../lib/reading.ts'
import { consoleApi, loadedSession, local, runtime, ServiceError } from '../../lib/service.ts'
import type { Peer } from '../exchange/shapes.ts'
import type { Run, RunList } from '../runs/run-record.ts'
import { scrape } from './history.ts'
import { conflictBegan } from './trends.ts'

/** `GET /api/v1/status`. */
export interface Status {
  readonly version: string
  readonly profile: string
  readonly endpointId: string
  readonly projects: readonly { readonly project: string; readonly revision: number }[]
  readonly outbox: { readonly pending: number; readonly oldestAtMs: number | null }
  readonly peers: { readonly known: number; readonly connected: number }
}

/** What was read; undefined for what this console cannot read. */
export interface Facts {
  readonly status: Status | undefined
  readonly peers: readonly Peer[] | undefined
  readonly store: StoreReport | undefined
  /** The runs of the console's user that failed. */
  readonly failedRuns: readonly Run[] | undefined
  /** Whether there are more of them than were read. */
  readonly hasMoreFailedRuns: boolean
  /** Unix time in milliseconds of the oldest open conflict of the boards; undefined also if there is none. */
  readonly conflictsSinceMs: number | undefined
}

/** Number of failed runs that are read. */
const FAILED_RUNS = 50

/** Reads the facts. Rejects if the service does not answer; what it refuses is undefined. */
export async function readFacts(signal: AbortSignal): Promise<Facts> {
  const { views, local: hasLocal } = loadedSession()
  const query = `status=failed&limit=${FAILED_RUNS}`
  const [status, peers, store, runs] = await Promise.all([
    hasLocal === null ? undefined : unlessRefused(local<Status>('/api/v1/status', { signal })),
    views.includes('peers') ? unlessRefused(local<{ peers: readonly Peer[] }>('/api/v1/peers', { signal })) : undefined,
    hasLocal === null ? undefined : unlessRefused(consoleApi<StoreReport>('/store', { signal })),
    views.includes('runs') ? unlessRefused(runtime<RunList>(`/api/svc/runs?${query}`, { signal })) : undefined,
  ])
  const conflictsSinceMs = hasLocal === null ? undefined : await readOldestConflict(signal)
  const hasMoreFailedRuns = runs?.next != null
  return { status, peers: peers?.peers, store, failedRuns: runs?.runs, hasMoreFailedRuns, conflictsSinceMs }
}

/** Projects whose conflicts are read. */
const MOST_PROJECTS = 20

/**
 * When the oldest open conflict began, by the times of its commands; undefined if the metrics or the conflicts do not
 * say it.
 */
async function readOldestConflict(signal: AbortSignal): Promise<number | undefined> {
  const projects = (scrape.value?.get('svc_kbd_conflicts') ?? []).flatMap(({ labels: { project }, value }) =>
    project === undefined || value === 0 ? [] : [project],
  )
  if (projects.length === 0 || projects.length > MOST_PROJECTS) return undefined
  const lists = await Promise.all(
    projects.map((project) => {
      const path = `/api/v1/kbd/projects/${encodeURIComponent(project)}/conflicts?limit=1000`
      return unlessRefused(
        local<{ readonly conflicts: readonly Conflict[]; readonly next: string | null }>(path, { signal }),
      )
    }),
  )
  // A list that is missing, or has more than a page, may have an older one.
  if (lists.some((list) => list === undefined || list.next !== null)) return undefined
  const times = lists.flatMap((list) => list?.conflicts.map(conflictBegan) ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * Reads the last day; undefined if the service keeps no history, or refuses it. Rejects if the service does not answer.
 */
export async function readDay(signal: AbortSignal): Promise<Day | undefined> {
  return loadedSession().local === null ? undefined : unlessRefused(local<Day>('/api/v1/history', { signal }))
}

async function unlessRefused<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ServiceError && !isNoAnswer(error)) return undefined
    throw error
  }
}
