/**
 * The light request: what a handler sees on every transport.
 *
 * A transport subclasses it and answers the few questions lazily, so that a request which needs no header and no body
 * costs no header map and no body buffer.
 */
import type { Awaitable } from '../awaitable.ts'
import { anonymous, type Identity } from '../identity.ts'

/** Where a request came from. */
export interface Peer {
  readonly transport: 'tcp' | 'unix' | 'in-process' | 'peer'
  /** Address of the client as text, without port; empty where there is none. */
  readonly address: string
  /** The key that a handshake proved, 64 lower-case hex: on connections of peers alone. */
  readonly endpointId?: string
}

/** The W3C trace context that a request runs in (Trace Context level 1, section 3.2). */
export interface TraceContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string
  /** 16 lower-case hex digits: the current span. */
  readonly spanId: string
}

/** One request on its way through a surface. */
export abstract class SvcRequest {
  readonly method: string
  /** The path exactly as it was received: not decoded, not normalised, without the query. */
  readonly path: string
  /** What stood behind `?`, undecoded; empty where there was none. */
  readonly query: string
  readonly peer: Peer
  /** Monotonic milliseconds at which the transport had the head of the request. */
  readonly startedMs: number
  /** Path parameters, percent-decoded; set by the router. */
  params: Readonly<Record<string, string>> = noParams
  /** Set by the guard; anonymous until then. */
  identity: Identity = anonymous
  /** Template of the route that was found, `unmatched` until then. Bounded, so safe as a metric label. */
  route: string = 'unmatched'
  /** Makes the trace context at its first use. Set by a tracing hook. Most requests are neither logged nor traced. */
  traceBy: ((request: SvcRequest) => TraceContext) | undefined = undefined
  /** Largest body in bytes that this route takes; set by the router before the handler runs. */
  bodyLimit: number = 0
  /** Sees the body before the handler does; set by the router. */
  whenRead: ((bytes: Uint8Array) => Awaitable<Uint8Array>) | undefined = undefined
  #trace: TraceContext | undefined = undefined

  constructor(method: string, path: string, query: string, peer: Peer, startedMs: number) {
    this.method = method
    this.path = path
    this.query = query
    this.peer = peer
    this.startedMs = startedMs
  }

  /** Where there is tracing; the same at each question. */
  get trace(): TraceContext | undefined {
    this.#trace ??= this.traceBy?.(this)
    return this.#trace
  }

  /** The value of a header by its lower-case name; repeated headers are joined as the field defines, or the first. */
  abstract header(name: string): string | undefined

  /** Aborted when the client goes away before the reply was complete. */
  abstract get signal(): AbortSignal

  /**
   * The whole body, at most `bodyLimit` bytes.
   * @throws SvcError `payload_too_large`, `client_gone`, or what the guard says where the caller's right ended meanwhile
   */
  body(): Promise<Uint8Array> {
    return this.whenRead === undefined ? this.readBody() : this.readBody().then(this.whenRead)
  }

  /** The body as the transport has it. */
  protected abstract readBody(): Promise<Uint8Array>

  /** Whether the request came with a body, even an empty one of unknown length. */
  get hasBody(): boolean {
    const length = this.header('content-length')
    return (length !== undefined && length !== '0') || this.header('transfer-encoding') !== undefined
  }

  /** A query parameter, decoded; the first where it is repeated. */
  queryParam(name: string): string | undefined {
    return this.query === '' ? undefined : (new URLSearchParams(this.query).get(name) ?? undefined)
  }
}

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>)
