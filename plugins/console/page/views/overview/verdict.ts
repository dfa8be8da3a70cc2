/** The verdict about the service: its problems, each with since when, what it affects, and what to do. */
import type { Day } from '../../../../telemetry/api.ts'
import { bytes, countOf } from '../../lib/format.ts'
import { type Scrape, sumOf } from '../../lib/metrics.ts'
import { faultInWords } from '../exchange/words.ts'
import type { Facts } from './facts.ts'
import type { CheckHistory } from './history.ts'
import { failsSince, hasLessRoomSince } from './trends.ts'
import { causeOf, mergedByCause } from './verdict-causes.ts'
import type { Finding } from './verdict-trends.ts'
import { ofCertificates, ofRises } from './verdict-trends.ts'

/** What the verdict is about. */
export interface VerdictInput {
  readonly checks: readonly CheckHistory[]
  readonly facts: Facts
  readonly scrape: Scrape | undefined
  /** The last day; undefined if it is not known. */
  readonly day: Day | undefined
  readonly nowMs: number
}

/** A push that waits longer than this is a problem: a peer that can be reached takes a push within seconds. */
const OUTBOX_MS = 60_000
/** A failed run is a problem for a day. */
const FAILED_RUN_MS = 86_400_000
/** The service itself warns from this size of the log on. */
const LOG_BYTES = 64 * 1_024 * 1_024
/** The smallest part of the disk that should be free, and the smallest number of bytes. */
const FREE_SHARE = 0.05
const FREE_BYTES = 512 * 1_024 * 1_024

/** The problems, the most urgent kind first. */
export function findingsOf({ checks, facts, scrape, day, nowMs }: VerdictInput): readonly Finding[] {
  return mergedByCause([
    ...checks.flatMap((check) => ofCheck(check, day)),
    ...ofCertificates(scrape, nowMs),
    ...ofStore(facts, day),
    ...ofPeers(facts),
    ...ofOutbox(facts, nowMs),
    ...ofConflicts(facts, scrape),
    ...ofRuns(facts, nowMs),
    ...ofRises(day),
  ])
}

/** The verdict in words. */
export function verdictOf(findings: readonly Finding[]): string {
  return findings.length === 0 ? 'Healthy' : countOf(findings.length, 'problem')
}

/** What the console has not read, so that the verdict is not about it. */
export function unknownsOf(facts: Facts, scrape: Scrape | undefined, day: Day | undefined): readonly string[] {
  const { status, peers, store, failedRuns } = facts
  const parts: readonly (readonly [name: string, value: unknown])[] = [
    ['outbox', status],
    ['peers', peers],
    ['disk', store],
    ['failed runs', failedRuns],
    ['conflicts', scrape],
    ['certificates', scrape],
    ['errors', day],
    ['refusals', day],
  ]
  const unread = parts.flatMap(([name, value]) => (value === undefined ? [name] : []))
  // The facts have the runs of the console's user only.
  return failedRuns === undefined ? unread : [...unread, 'failed runs of other users']
}

function ofCheck(
  { name, surface, required, values, failsSinceMs }: CheckHistory,
  day: Day | undefined,
): readonly Finding[] {
  if (values.at(-1) !== false) return []
  const title = name.replaceAll('_', ' ')
  return [
    {
      what: `The check “${title}” of the ${surface} surface fails.`,
      ...((day && failsSince(day, surface, name)) ?? seenSince(values, failsSinceMs)),
      cause: causeOf(name),
      affects: required
        ? `The ${surface} surface is not ready: balancers send it no requests.`
        : 'The service is ready without it; what needs it may fail.',
      next: 'The log of the service has the reason: look for the name of the check.',
    },
  ]
}

/** Since when a check fails, as far as this page has seen: it may have been opened after the beginning. */
function seenSince(
  values: CheckHistory['values'],
  sinceMs: number | undefined,
): Pick<Finding, 'sinceMs' | 'isAtLeast'> {
  return { sinceMs, isAtLeast: sinceMs !== undefined && values.findLast((value) => value !== false) !== true }
}

function ofStore({ store }: Facts, day: Day | undefined): readonly Finding[] {
  if (store === undefined) return []
  const { disk, logBytes } = store
  const findings: Finding[] = []
  const least = Math.max(FREE_BYTES, disk.totalBytes * FREE_SHARE)
  if (disk.freeBytes < least)
    findings.push({
      what: `The disk of the store has ${bytes(disk.freeBytes)} left of ${bytes(disk.totalBytes)}.`,
      ...(day && hasLessRoomSince(day, least)),
      cause: 'store',
      affects: 'When it is full, the service refuses every write.',
      next: 'Free room on the disk, or move storage.dir to a larger one.',
    })
  if (logBytes >= LOG_BYTES)
    findings.push({
      what: `The log of the store has grown to ${bytes(logBytes)}: another process holds it.`,
      ...(day && failsSince(day, 'local', 'store_log')),
      cause: 'log of the store',
      affects: 'The log grows until the disk is full.',
      next: `Find the process with fuser -v ${store.path}, and end it.`,
    })
  return findings
}

function ofPeers({ peers = [] }: Facts): readonly Finding[] {
  return peers.flatMap(({ endpointId, label, state, lastFailure, failingSinceMs }) => {
    if (state !== 'unreachable' && state !== 'refused') return []
    const name = label ?? endpointId.slice(0, 8)
    const fault = lastFailure === null ? undefined : faultInWords(lastFailure.code)
    return [
      {
        what: state === 'unreachable' ? `The peer ${name} is away.` : `The exchange with the peer ${name} fails.`,
        sinceMs: failingSinceMs ?? undefined,
        affects: 'Pushes for it wait in the outbox, and its changes do not arrive here.',
        next: fault === undefined ? 'Look at the peer.' : `${fault.what} ${fault.next ?? ''}`.trim(),
        href: '/pushes',
      },
    ]
  })
}

function ofOutbox({ status }: Facts, nowMs: number): readonly Finding[] {
  const { pending, oldestAtMs } = status?.outbox ?? { pending: 0, oldestAtMs: null }
  if (pending === 0 || oldestAtMs === null || nowMs - oldestAtMs < OUTBOX_MS) return []
  return [
    {
      what: `${countOf(pending, 'delivery', 'deliveries')} in the outbox ${pending === 1 ? 'waits' : 'wait'}.`,
      sinceMs: oldestAtMs,
      affects: 'The peers that they are for do not have these pushes.',
      next: 'See which peer is away. The node tries again by itself.',
      href: '/pushes',
    },
  ]
}

function ofConflicts({ conflictsSinceMs }: Facts, scrape: Scrape | undefined): readonly Finding[] {
  if (scrape === undefined) return []
  const open = sumOf(scrape, 'svc_kbd_conflicts')
  if (open === 0) return []
  return [
    {
      what: `${countOf(open, 'conflict')} of boards ${open === 1 ? 'is' : 'are'} open.`,
      sinceMs: conflictsSinceMs,
      affects: 'Cards have several values, of which nobody has chosen one.',
      next: 'Open the boards and choose a value.',
      href: '/boards',
    },
  ]
}

function ofRuns({ failedRuns = [], hasMoreFailedRuns }: Facts, nowMs: number): readonly Finding[] {
  // The service lists runs by the time of their creation.
  const recent = failedRuns
    .filter(({ ended_at_ms }) => ended_at_ms !== null && nowMs - ended_at_ms < FAILED_RUN_MS)
    .sort((one, other) => (other.ended_at_ms ?? 0) - (one.ended_at_ms ?? 0))
  const [last] = recent
  if (last === undefined) return []
  const number = `${countOf(recent.length, 'run')} of the console's user`
  return [
    {
      what: hasMoreFailedRuns
        ? `At least ${number} failed in the last 24 hours, such as ${last.run_id}.`
        : `${number} failed in the last 24 hours; the last one is ${last.run_id}.`,
      sinceMs: hasMoreFailedRuns ? undefined : (recent.at(-1)?.ended_at_ms ?? undefined),
      affects: last.error == null ? 'Its readers got no answer.' : `It ended with: ${last.error.message}`,
      next: 'Open the failed runs.',
      href: '/runs?status=failed',
    },
  ]
}
