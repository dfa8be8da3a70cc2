/** What the overview remembers of its polls, for as long as the page is open. */
import { type Signal, signal } from '@preact/signals'
import { bucketsOf, parseScrape, quantileBetween, type Scrape, sumOf } from '../../lib/metrics.ts'
import { loadedSession, local, runtime, send, textOf } from '../../lib/service.ts'

/** Time between two polls, in milliseconds. */
export const POLL_MS = 2_000
/** Polls that are remembered: two minutes. */
export const SLOTS = 60

/** What a readiness probe says. */
interface Readiness {
  readonly checks: Readonly<Record<string, { readonly status: 'ok' | 'failed'; readonly required: boolean }>>
}

/** One check of one surface, with how it went at each poll. */
export interface CheckHistory {
  readonly name: string
  readonly surface: 'runtime' | 'local'
  readonly required: boolean
  readonly values: readonly boolean[]
}

/** What the metrics said at one poll, against the poll before. */
export interface TrafficPoint {
  readonly requestsPerSecond: number | undefined
  readonly errorsPerSecond: number | undefined
  /** Seconds. */
  readonly p95: number | undefined
  readonly streams: number
}

/** The checks of both surfaces. */
export const checks: Signal<readonly CheckHistory[]> = signal([])
/** The traffic of the runtime surface, oldest first. */
export const traffic: Signal<readonly TrafficPoint[]> = signal([])
/** The newest scrape; undefined while there is none. */
export const scrape: Signal<Scrape | undefined> = signal(undefined)

let last: { readonly scrape: Scrape; readonly atMs: number } | undefined

/** Asks both surfaces once. Rejects where one of them cannot be asked. */
export async function poll(stop: AbortSignal): Promise<void> {
  const { runtime: hasRuntime, local: hasLocal } = loadedSession()
  const asked: Promise<void>[] = []
  if (hasRuntime !== null) {
    asked.push(readiness('runtime', '/readyz', stop))
    asked.push(readMetrics(stop))
  }
  if (hasLocal !== null) asked.push(readiness('local', '/ready', stop))
  await Promise.all(asked)
}

async function readiness(surface: 'runtime' | 'local', path: string, stop: AbortSignal): Promise<void> {
  const ask = surface === 'runtime' ? runtime : local
  // A surface that is not ready says so with 503 and the same body.
  const { checks: found } = await ask<Readiness>(path, { signal: stop }).catch((error: unknown) => {
    const body = (error as { details?: { checks?: Readiness['checks'] } }).details
    if (body?.checks !== undefined) return { checks: body.checks }
    throw error
  })
  const before = checks.value
  const fresh = Object.entries(found).map(([name, { status, required }]): CheckHistory => {
    const known = before.find((one) => one.name === name && one.surface === surface)
    return { name, surface, required, values: [...(known?.values ?? []), status === 'ok'].slice(-SLOTS) }
  })
  checks.value = [...before.filter((one) => one.surface !== surface), ...fresh].sort((one, other) =>
    `${other.surface} ${one.name}` < `${one.surface} ${other.name}` ? -1 : 1,
  )
}

async function readMetrics(stop: AbortSignal): Promise<void> {
  const response = await send('/runtime/metrics', { headers: { accept: 'text/plain' }, signal: stop }).catch(
    (error: { status?: number }) => {
      if (error.status === 404) return undefined
      throw error
    },
  )
  if (response === undefined) return
  const read = parseScrape(await textOf(response, { signal: stop }))
  const atMs = performance.now()
  traffic.value = [...traffic.value, pointOf(read, atMs)].slice(-SLOTS)
  last = { scrape: read, atMs }
  scrape.value = read
}

const DURATION = 'svc_http_request_duration_seconds'
const TOTAL = 'svc_http_requests_total'

function pointOf(read: Scrape, atMs: number): TrafficPoint {
  const streams = sumOf(read, 'svc_sse_connections')
  const restarted = last !== undefined && sumOf(read, TOTAL) < sumOf(last.scrape, TOTAL)
  // A rate over a time in which nobody looked would be no rate of now.
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
