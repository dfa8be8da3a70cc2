/**
 * The light request that a handler gets on every transport.
 *
 * A transport subclasses it and reads headers and body lazily, so that a request whose handler reads neither costs no
 * header map and no body buffer.
 */
import type { Awaitable } from '../kernel/values.ts'
import { anonymous, type Identity } from './identity.ts'

/** The sender of a request. */
export interface Peer {
  readonly transport: 'tcp' | 'unix' | 'in-process' | 'peer'
  /** Address of the client as text, without port; empty if there is none. */
  readonly address: string
  /** The key that a handshake proved, 64 lower-case hex digits; only on connections of peers. */
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
  /** The text after `?`, not decoded; empty if there is none. */
  readonly query: string
  readonly peer: Peer
  /** The monotonic time in milliseconds at which the head of the request had arrived. */
  readonly startedMs: number
  /** Path parameters, percent-decoded; set by the router. */
  params: Readonly<Record<string, string>> = noParams
  /** Set by the guard; anonymous until then. */
  identity: Identity = anonymous
  /**
   * Template of the route; `unmatched` until a route is found. The number of values is bounded, as a metric label
   * requires.
   */
  route: string = 'unmatched'
  /** Makes the trace context at its first use. Set by a tracing hook. Most requests are neither logged nor traced. */
  traceBy: ((request: SvcRequest) => TraceContext) | undefined = undefined
  /** Largest body in bytes that this route takes; set by the router before the handler runs. */
  bodyLimit: number = 0
  /** Checks the body before the handler gets it; set by the router. */
  whenRead: ((bytes: Uint8Array) => Awaitable<Uint8Array>) | undefined = undefined
  #trace: TraceContext | undefined = undefined

  constructor(method: string, path: string, query: string, peer: Peer, startedMs: number) {
    this.method = method
    this.path = path
    this.query = query
    this.peer = peer
    this.startedMs = startedMs
  }

  /** The trace context, which is always the same object; undefined without tracing. */
  get trace(): TraceContext | undefined {
    this.#trace ??= this.traceBy?.(this)
    return this.#trace
  }

  /**
   * The value of a header by its lower-case name. Of a repeated header, the joined value if the field allows it, else
   * the first.
   */
  abstract header(name: string): string | undefined

  /** Aborted when the client goes away before the reply is complete. */
  abstract get signal(): AbortSignal

  /**
   * The whole body, at most `bodyLimit` bytes.
   * @throws SvcError `payload_too_large`, `client_gone`, or the error of the guard if the right of the caller has ended
   * meanwhile
   */
  body(): Promise<Uint8Array> {
    return this.whenRead === undefined ? this.readBody() : this.readBody().then(this.whenRead)
  }

  /** Reads the body from the transport. */
  protected abstract readBody(): Promise<Uint8Array>

  /** Whether the request has a body, even an empty one of unknown length. */
  get hasBody(): boolean {
    const length = this.header('content-length')
    return (length !== undefined && length !== '0') || this.header('transfer-encoding') !== undefined
  }

  /** A query parameter, decoded; the first value if the parameter is repeated. */
  queryParam(name: string): string | undefined {
    return this.query === '' ? undefined : (new URLSearchParams(this.query).get(name) ?? undefined)
  }
}

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null) as Record<string, string>)

/** A parameter of the path, such as `id` of `/cards/:id`. @throws Error if the route has no such parameter */
export function pathParam({ params }: Pick<SvcRequest, 'params'>, name: string): string {
  const value = params[name]
  if (value === undefined) throw new Error(`The route has no parameter ${name}.`)
  return value
}
