/** Trace contexts of this process: where one comes from, and what goes out with it. */
import type { Random } from '../../core/environment.ts'
import type { SvcRequest, TraceContext } from '../../core/http/request.ts'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

/** Draws an id: many a request is neither logged nor traced, and then nobody asks for it. */
type Draw = () => string

/** A span of ours, with what the ids alone do not say. */
export class LocalContext implements TraceContext {
  #traceId: string | Draw
  #spanId: string | Draw
  /** The span it is under; undefined at the root of a trace. */
  readonly parentId: string | undefined
  /** Whether the trace is recorded, as its root decided. */
  readonly sampled: boolean
  /** The `tracestate` that came in; passed on as it is (section 3.3). */
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

  /** The headers that continue the trace in another service. */
  get headers(): Readonly<Record<string, string>> {
    const traceparent = formatTraceparent(this.traceId, this.spanId, this.sampled)
    return this.state === undefined ? { traceparent } : { traceparent, tracestate: this.state }
  }
}

/** Makes contexts. */
export interface ContextSource {
  /** The context of a request: under that of its caller, or of a new trace. */
  fromRequest(request: SvcRequest): LocalContext
  /** A context under `parent`, or of a new trace. */
  child(parent?: TraceContext): LocalContext
}

/** Makes a source of contexts; `sampled` decides for new traces, by their id. Without it none is. */
export function createContextSource(random: Random, sampled?: (traceId: string) => boolean): ContextSource {
  const hex = createHex(random)
  const [drawTrace, drawSpan] = [() => hex(16), () => hex(8)]
  const root = (): LocalContext => {
    if (sampled === undefined) return new LocalContext(drawTrace, drawSpan)
    const traceId = hex(16)
    return new LocalContext(traceId, drawSpan, undefined, sampled(traceId))
  }
  return {
    fromRequest: (request) => {
      const header = request.header('traceparent')
      const parent = header === undefined ? undefined : parseTraceparent(header)
      if (parent === undefined) return root()
      return new LocalContext(parent.traceId, drawSpan, parent.parentId, parent.sampled, stateOf(request))
    },
    child: (parent) => {
      if (parent === undefined) return root()
      const { sampled: recorded, state } = parent instanceof LocalContext ? parent : new LocalContext('', '')
      return new LocalContext(parent.traceId, drawSpan, parent.spanId, recorded, state)
    },
  }
}

/** Section 3.3.1.1: at least 512 characters must be passed on; what is longer than anyone needs is not. */
const MAX_STATE = 512

function stateOf(request: SvcRequest): string | undefined {
  const state = request.header('tracestate')
  // Printable ASCII only, so that it cannot end the header that it is passed on in.
  return state !== undefined && state.length <= MAX_STATE && /^[\x20-\x7e]+$/.test(state) ? state : undefined
}

/** Random ids are drawn and printed in batches: for thousands of bytes that costs little more than for eight. */
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
    // All zero means "no id" (section 3.2.2.3); one in 2^64 is not never.
    return text === noTrace || text === noSpan ? text.replace(/0$/, '1') : text
  }
}

const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)

function toHex(bytes: Uint8Array): string {
  const text = new Uint8Array(2 * bytes.length)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    text[2 * index] = digits[byte >> 4]!
    text[2 * index + 1] = digits[byte & 15]!
  }
  return ascii.decode(text)
}
