/** Reads the facts about the service that its verdict needs, beside its readiness and its metrics. */
import type { Day } from '../../../../telemetry/api.ts'
import type { StoreReport } from '../../../session.ts'
import { isNoAnswer } from '../../lib/reading.ts'
import { loadedSession, local, own, runtime, ServiceError } from '../../lib/service.ts'
import type { Peer } from '../exchange/shapes.ts'
import type { Run } from '../runs/run-record.ts'

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
}

/** Number of failed runs that are read. */
const FAILED_RUNS = 50

/** Reads the facts. Rejects if the service does not answer; what it refuses is undefined. */
export async function readFacts(signal: AbortSignal): Promise<Facts> {
  const { views, local: hasLocal } = loadedSession()
  const query = `status=failed&limit=${FAILED_RUNS}`
  const [status, peers, store, runs] = await Promise.all([
    hasLocal === null ? undefined : known(local<Status>('/api/v1/status', { signal })),
    views.includes('peers') ? known(local<{ peers: readonly Peer[] }>('/api/v1/peers', { signal })) : undefined,
    hasLocal === null ? undefined : known(own<StoreReport>('/store', { signal })),
    views.includes('runs') ? known(runtime<{ runs: readonly Run[] }>(`/api/svc/runs?${query}`, { signal })) : undefined,
  ])
  return { status, peers: peers?.peers, store, failedRuns: runs?.runs }
}

/** Reads the last day; undefined if the service keeps no history, or refuses it. Rejects if the service does not answer. */
export async function readDay(signal: AbortSignal): Promise<Day | undefined> {
  return loadedSession().local === null ? undefined : known(local<Day>('/api/v1/history', { signal }))
}

async function known<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ServiceError && !isNoAnswer(error)) return undefined
    throw error
  }
}
