/** Requests for a surface, without a transport. */

import { tooLarge } from '../../core/http/body-limits.ts'
import type { Reply } from '../../core/http/reply.ts'
import { type Peer, SvcRequest } from '../../core/http/request.ts'

/** The parts of a request. All of them have a default. */
export interface RequestParts {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly peer?: Peer
  readonly startedMs?: number
}

class MadeRequest extends SvcRequest {
  readonly #headers: ReadonlyMap<string, string>
  readonly #body: Uint8Array
  readonly #gone = new AbortController()

  constructor(target: string, parts: RequestParts) {
    const [path, query = ''] = target.split(/\?(.*)/s, 2) as [string, string?]
    const peer = parts.peer ?? { transport: 'tcp', address: '192.0.2.1' }
    super(parts.method ?? 'GET', path, query, peer, parts.startedMs ?? 0)
    this.#body =
      typeof parts.body === 'string' ? new TextEncoder().encode(parts.body) : (parts.body ?? new Uint8Array())
    const length = parts.body === undefined ? {} : { 'content-length': String(this.#body.byteLength) }
    this.#headers = new Map(Object.entries({ ...length, ...parts.headers }))
  }

  header(name: string): string | undefined {
    return this.#headers.get(name)
  }

  get signal(): AbortSignal {
    return this.#gone.signal
  }

  protected async readBody(): Promise<Uint8Array> {
    if (this.#body.byteLength > this.bodyLimit) throw tooLarge(this.bodyLimit)
    return this.#body
  }
}

/** A request for `target`, which is a path with or without a query. */
export function makeRequest(target: string, parts: RequestParts = {}): SvcRequest {
  return new MadeRequest(target, parts)
}

/** A request whose body is `value` as JSON. */
export function postJson(target: string, value: unknown, parts: RequestParts = {}): SvcRequest {
  const headers = { 'content-type': 'application/json', ...parts.headers }
  return makeRequest(target, { method: 'POST', ...parts, headers, body: JSON.stringify(value) })
}

/** The JSON body of a reply, which may be an error envelope. */
export function bodyOf(reply: Reply): Record<string, unknown> {
  return JSON.parse(String(reply.body)) as Record<string, unknown>
}

/** The `error` member of an envelope. */
export function errorOf(reply: Reply): Record<string, unknown> {
  return bodyOf(reply)['error'] as Record<string, unknown>
}
