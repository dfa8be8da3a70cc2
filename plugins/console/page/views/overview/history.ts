/** The results of the overview's polls, kept as long as the page is open. */
import { type Signal, signal } from '@preact/signals'
import { bucketsOf, parseScrape, quantileBetween, type Scrape, sumOf } from '../../lib/metrics.ts'
import { loadedSession, local, runtime, ServiceError, send, textOf } from '../../lib/service.ts'
import { DURATION, TOTAL, withoutPolls } from './polled.ts'

/** Time between two polls, in milliseconds. */
export const POLL_MS = 2_000
/** Number of polls that are kept, which is two minutes. */
export const SLOTS = 60

/** The answer of a readiness probe. */
interface Readiness {
  readonly checks: Readonly<Record<string, { readonly status: 'ok' | 'failed'; readonly required: boolean }>>
}

/** One check of one surface, with its result at each poll. */
export interface CheckHistory {
  readonly name: string
  readonly surface: 'runtime' | 'local'
  readonly required: boolean
  /** Undefined where a poll had no answer. */
  readonly values: readonly (boolean | undefined)[]
  /** Unix time in milliseconds since when it fails, as far as this page has seen; undefined if it does not fail. */
  readonly failsSinceMs: number | undefined
}

/** The traffic between two polls of the metrics; undefined where it is unknown. */
export interface TrafficPoint {
  readonly requestsPerSecond: number | undefined
  readonly errorsPerSecond: number | undefined
  /** Seconds. */
  readonly p95: number | undefined
  readonly streams: number | undefined
}

const UNKNOWN: TrafficPoint = {
  requestsPerSecond: undefined,
  errorsPerSecond: undefined,
  p95: undefined,
  streams: undefined,
}

/** The checks of both surfaces. */
export const checks: Signal<readonly CheckHistory[]> = signal([])
/** The traffic of the runtime surface, the oldest first. */
export const traffic: Signal<readonly TrafficPoint[]> = signal([])
/** The scrape of the last poll; undefined if it had no answer. */
export const scrape: Signal<Scrape | undefined> = signal(undefined)

let last: { readonly scrape: Scrape; readonly atMs: number } | undefined
let polledAtMs: number | undefined

/**
 * Polls both surfaces once. A surface that does not answer leaves a gap. Rejects if the request to one of them fails.
 */
export async function poll(stop: AbortSignal): Promise<void> {
  const { runtime: hasRuntime, local: hasLocal } = loadedSession()
  addGaps()
  const requests: Promise<void>[] = []
  if (hasRuntime !== null) {
    requests.push(readiness('runtime', '/readyz', stop))
    requests.push(readMetrics(stop))
  }
  if (hasLocal !== null) requests.push(readiness('local', '/ready', stop))
  await Promise.all(requests)
}

/** Adds a gap for each poll that was left out, for instance while the page was hidden. */
function addGaps(): void {
  const nowMs = performance.now()
  const missed = polledAtMs === undefined ? 0 : Math.min(SLOTS, Math.round((nowMs - polledAtMs) / POLL_MS) - 1)
  polledAtMs = nowMs
  if (missed <= 0) return
  const gap = Array.from({ length: missed }, () => undefined)
  checks.value = checks.value.map((check) => ({ ...check, values: [...check.values, ...gap].slice(-SLOTS) }))
  traffic.value = [...traffic.value, ...gap.map(() => UNKNOWN)].slice(-SLOTS)
}

/** Adds a gap to the checks of a surface. */
function addGap(surface: CheckHistory['surface']): void {
  checks.value = checks.value.map((check) =>
    check.surface === surface
      ? { ...check, values: [...check.values, undefined].slice(-SLOTS), failsSinceMs: undefined }
      : check,
  )
}

async function readiness(surface: 'runtime' | 'local', path: string, stop: AbortSignal): Promise<void> {
  const ask = surface === 'runtime' ? runtime : local
  // A surface that is not ready answers with status 503 and the same body.
  const { checks: checksByName } = await ask<Readiness>(path, { signal: stop }).catch((error: unknown) => {
    const body = (error as { details?: { checks?: Readiness['checks'] } }).details
    if (body?.checks !== undefined) return { checks: body.checks }
    // A load that nobody waits for any more ends with the error of its abort.
    if (error instanceof ServiceError) addGap(surface)
    throw error
  })
  const before = checks.value
  const fresh = Object.entries(checksByName).map(([name, { status, required }]): CheckHistory => {
    const earlier = before.find((check) => check.name === name && check.surface === surface)
    const values = [...(earlier?.values ?? []), status === 'ok'].slice(-SLOTS)
    const failsSinceMs = status === 'ok' ? undefined : (earlier?.failsSinceMs ?? Date.now())
    return { name, surface, required, values, failsSinceMs }
  })
  checks.value = [...before.filter((check) => check.surface !== surface), ...fresh].sort((a, b) =>
    `${b.surface} ${a.name}` < `${a.surface} ${b.name}` ? -1 : 1,
  )
}

async function readMetrics(stop: AbortSignal): Promise<void> {
  const response = await send('/runtime/metrics', { headers: { accept: 'text/plain' }, signal: stop }).catch(
    (error: unknown) => {
      if (!(error instanceof ServiceError) || error.status === 404) return undefined
      traffic.value = [...traffic.value, UNKNOWN].slice(-SLOTS)
      scrape.value = undefined
      last = undefined
      throw error
    },
  )
  if (response === undefined) return
  const read = withoutPolls(parseScrape(await textOf(response, { signal: stop })))
  const atMs = performance.now()
  traffic.value = [...traffic.value, pointOf(read, atMs)].slice(-SLOTS)
  last = { scrape: read, atMs }
  scrape.value = read
}

function pointOf(read: Scrape, atMs: number): TrafficPoint {
  const streams = sumOf(read, 'svc_sse_connections')
  const restarted = last !== undefined && sumOf(read, TOTAL) < sumOf(last.scrape, TOTAL)
  // After a long gap between two polls, for instance in a hidden page, the rate would not be the present one.
  const isLate = last !== undefined && atMs - last.atMs > 3 * POLL_MS
  if (last === undefined || restarted || isLate)
    return { requestsPerSecond: undefined, errorsPerSecond: undefined, p95: undefined, streams }
  const seconds = (atMs - last.atMs) / 1_000
  return {
    requestsPerSecond: (sumOf(read, TOTAL) - sumOf(last.scrape, TOTAL)) / seconds,
    errorsPerSecond: (errorsIn(read) - errorsIn(last.scrape)) / seconds,
    p95: quantileBetween(bucketsOf(last.scrape, DURATION), bucketsOf(read, DURATION), 0.95),
    streams,
  }
}

function errorsIn(read: Scrape): number {
  return (read.get(TOTAL) ?? [])
    .filter(({ labels }) => labels['status']?.startsWith('5'))
    .reduce((sum, { value }) => sum + value, 0)
}
