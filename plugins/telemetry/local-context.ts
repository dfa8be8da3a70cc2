/** Trace contexts of this process, and the header `traceparent` (W3C Trace Context). */
import type { SvcRequest, TraceContext } from '../../core/http/request.ts'
import type { Random } from '../../core/kernel/environment.ts'

/** Draws an id when it is first read, because many requests are neither logged nor traced. */
type Draw = () => string

/** The context of a span of this process. */
export class LocalContext implements TraceContext {
  #traceId: string | Draw
  #spanId: string | Draw
  /** Id of the parent span; undefined for the root of a trace. */
  readonly parentId: string | undefined
  /** Whether the trace is recorded. The root of the trace decides that. */
  readonly sampled: boolean
  /** The received `tracestate`, which is passed on unchanged (section 3.3). */
  readonly state: string | undefined

  constructor(traceId: string | Draw, spanId: string | Draw, parentId?: string, sampled = false, state?: string) {
    this.#traceId = traceId
    this.#spanId = spanId
    this.parentId = parentId
    this.sampled = sampled
    this.state = state
  }

  get traceId(): string {
    if (typeof this.#traceId !== 'string') this.#traceId = this.#traceId()
    return this.#traceId
  }

  get spanId(): string {
    if (typeof this.#spanId !== 'string') this.#spanId = this.#spanId()
    return this.#spanId
  }

  /** The headers of outgoing requests, which continue the trace in another service. */
  get headers(): Readonly<Record<string, string>> {
    const traceparent = formatTraceparent(this.traceId, this.spanId, this.sampled)
    return this.state === undefined ? { traceparent } : { traceparent, tracestate: this.state }
  }
}

/** Creates contexts. */
export interface ContextSource {
  /** Returns the context of a request: a child of the caller's, or the root of a new trace. */
  fromRequest(request: Pick<SvcRequest, 'header'>): LocalContext
  /** Returns a child of `parent`, or the root of a new trace. */
  child(parent?: TraceContext): LocalContext
}

/**
 * Creates a source of contexts. `sampled` decides by the trace id whether a new trace is recorded; without it none is.
 */
export function createContextSource(
  random: Random,
  sampled?: (traceId: string, recorded?: boolean) => boolean,
): ContextSource {
  const hex = createHex(random)
  const [drawTrace, drawSpan] = [() => hex(16), () => hex(8)]
  const root = (): LocalContext => {
    if (sampled === undefined) return new LocalContext(drawTrace, drawSpan)
    const traceId = hex(16)
    return new LocalContext(traceId, drawSpan, undefined, sampled(traceId))
  }
  // Most samplers follow the caller; some decide anew.
  const follow = (parent: { readonly traceId: string; readonly sampled: boolean }): boolean =>
    sampled === undefined ? parent.sampled : sampled(parent.traceId, parent.sampled)
  return {
    fromRequest: (request) => {
      const header = request.header('traceparent')
      const parent = header === undefined ? undefined : parseTraceparent(header)
      if (parent === undefined) return root()
      return new LocalContext(parent.traceId, drawSpan, parent.parentId, follow(parent), stateOf(request))
    },
    child: (parent) => {
      if (parent === undefined) return root()
      const { sampled: recorded, state } = parent instanceof LocalContext ? parent : new LocalContext('', '')
      return new LocalContext(parent.traceId, drawSpan, parent.spanId, recorded, state)
    },
  }
}

/** Section 3.3.1.1 requires that at least 512 characters are passed on. A longer `tracestate` is dropped. */
const MAX_STATE = 512

function stateOf(request: Pick<SvcRequest, 'header'>): string | undefined {
  const state = request.header('tracestate')
  // Only printable ASCII is accepted, so that the value cannot end the outgoing header.
  return state !== undefined && state.length <= MAX_STATE && /^[\x20-\x7e]+$/.test(state) ? state : undefined
}

/** Random ids are drawn and printed in batches, because thousands of bytes cost little more than eight. */
const BATCH_BYTES = 8_192
const digits = new TextEncoder().encode('0123456789abcdef')
const ascii = new TextDecoder()

function createHex(random: Random): (bytes: number) => string {
  let batch = ''
  let at = 0
  return (bytes) => {
    if (at + 2 * bytes > batch.length) {
      batch = toHex(random.bytes(BATCH_BYTES))
      at = 0
    }
    const text = batch.slice(at, (at += 2 * bytes))
    // An id of zeros means "no id" (section 3.2.2.3) and can be drawn once in 2^64 times.
    return text === noTrace || text === noSpan ? text.replace(/0$/, '1') : text
  }
}

const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

function toHex(bytes: Uint8Array): string {
  const text = new Uint8Array(2 * bytes.length)
  let at = 0
  for (const byte of bytes) {
    text[at++] = digits[byte >> 4] ?? 0
    text[at++] = digits[byte & 15] ?? 0
  }
  return ascii.decode(text)
}

/** The fields of a `traceparent`. */
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
