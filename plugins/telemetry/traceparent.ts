/** The `traceparent` header (W3C Trace Context level 1, section 3.2). */

/** The fields of a header. */
export interface Traceparent {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string
  /** The span of the caller: 16 lower-case hex digits, not all zero. */
  readonly parentId: string
  /** Whether the caller records the trace. */
  readonly sampled: boolean
}

/** Version 00 has exactly these fields; a later version may add fields after another dash (section 3.2.4). */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Parses a header; returns undefined for an invalid header, for which a new trace must be started. */
export function parseTraceparent(header: string): Traceparent | undefined {
  const match = form.exec(header)
  if (match === null) return undefined
  const [, version, traceId = '', parentId = '', flags = '', more] = match
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Formats a header of version 00. */
export function formatTraceparent(traceId: string, spanId: string, sampled: boolean): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
}
