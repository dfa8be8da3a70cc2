/** The findings of the verdict about what gets worse: certificates that end, and refusals and errors that rise. */
import type { Day } from '../../../../telemetry/api.ts'
import { duration } from '../../lib/format.ts'
import type { Scrape } from '../../lib/metrics.ts'
import { type Rise, riseOf } from './trends.ts'

/** A certificate that ends within this time is a problem. Programs that renew certificates do so a month before. */
const CERTIFICATE_MS = 14 * 86_400_000

/** Certificates that have ended, or end soon. */
export function ofCertificates(scrape: Scrape | undefined, nowMs: number): readonly Finding[] {
  return (scrape?.get('svc_tls_certificate_end_seconds') ?? []).flatMap(({ labels, value }) => {
    const endMs = value * 1_000
    if (endMs - nowMs > CERTIFICATE_MS) return []
    const [surface, hasEnded] = [labels['surface'] ?? 'runtime', endMs <= nowMs]
    const left = hasEnded ? `ended ${duration(nowMs - endMs)} ago` : `ends in ${duration(endMs - nowMs)}`
    return [
      {
        what: `The TLS certificate of the ${surface} surface ${left}.`,
        sinceMs: hasEnded ? endMs : endMs - CERTIFICATE_MS,
        affects: `Clients refuse to connect to the ${surface} surface ${hasEnded ? 'now' : 'then'}.`,
        next: 'Put a new certificate into the file of server.tls.cert, with its key. The service reads both again by itself.',
      },
    ]
  })
}

/** Refusals and errors that are more than usual. */
export function ofRises(day: Day | undefined): readonly Finding[] {
  if (day === undefined) return []
  const [refusals, errors] = [riseOf(day, 'refusals'), riseOf(day, 'errors')]
  const rise = ({ perMinute, usualPerMinute }: Rise): string =>
    `${Math.round(perMinute)} a minute, ${usualPerMinute.toFixed(1)} in the hour before`
  return [
    ...(errors === undefined
      ? []
      : [
          {
            what: `More requests than usual fail inside the service: ${rise(errors)}.`,
            sinceMs: errors.sinceMs,
            affects: 'Callers get an answer with status 500 or more.',
            next: 'The log of the service has the errors, each with the trace id of its answer.',
          },
        ]),
    ...(refusals === undefined
      ? []
      : [
          {
            what: `More requests than usual are refused: ${rise(refusals)}.`,
            sinceMs: refusals.sinceMs,
            affects: 'Callers get 401, 403 or 429.',
            next: 'The log of the service names them. A token may have expired, a limit may be too low, or somebody tries credentials.',
          },
        ]),
  ]
}

/** A problem of the service. */
export interface Finding {
  readonly what: string
  /** Unix time in milliseconds; undefined if it is not known. */
  readonly sinceMs?: number | undefined
  /** Whether it may have begun earlier: nothing is known of the time before. */
  readonly isAtLeast?: boolean
  readonly affects: string
  /** What findings have in common that are one problem; undefined for one that stands alone. */
  readonly cause?: 'store' | 'log of the store' | undefined
  readonly next: string
  /** A view of the page with more about it. */
  readonly href?: string
}
