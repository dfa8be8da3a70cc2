/**
 * Converts between the light request and WHATWG `Request` and `Response`, for embedders. The hot path of servers builds
 * neither.
 */
import { joinBytes } from '../kernel/bytes.ts'
import { httpFail } from '../kernel/catalogue.ts'
import { tooLarge } from './body-limits.ts'
import { readAddress } from './client-address.ts'
import { closedSink, type Reply, type StreamSink } from './reply.ts'
import { type Peer, SvcRequest } from './request.ts'
import type { Surface } from './surface.ts'

/** Facts about a request that are not in the `Request`. */
export interface FetchInfo {
  /** The address of the client. A port is left out, and a text that is no IP address is ignored. */
  readonly address?: string | undefined
}

/** A WHATWG fetch handler. */
export type FetchHandler = (request: Request, info?: FetchInfo) => Promise<Response>

/** Bytes that a reader may fall behind before `write` returns false. One megabyte is enough for minutes of events. */
const HIGH_WATER_BYTES = 1_048_576

/** Serves a surface as a fetch handler. `monotonic` is the clock for durations. */
export function toFetch(surface: Surface, monotonic: () => number): FetchHandler {
  return async (request, info) => {
    const light = fromFetch(request, monotonic(), info)
    return toResponse(await surface.handle(light), light)
  }
}

/** The light request for a WHATWG `Request`. */
export function fromFetch(request: Request, startedMs: number, info?: FetchInfo): SvcRequest {
  const address = readAddress(info?.address ?? '') ?? ''
  return new FetchRequest(request, startedMs, { transport: 'in-process', address })
}

class FetchRequest extends SvcRequest {
  readonly #request: Request

  constructor(request: Request, startedMs: number, peer: Peer) {
    // Not `new URL`: it would rewrite `/a/../health` to `/health`, and open paths are matched as received.
    const target = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    super(request.method, path === '' ? '/' : path, mark < 0 ? '' : target.slice(mark + 1), peer, startedMs)
    this.#request = request
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  // A request made in the process has a body and no `content-length`.
  override get hasBody(): boolean {
    return this.#request.body !== null
  }

  protected async readBody(): Promise<Uint8Array> {
    const stream = this.#request.body
    if (stream === null) return new Uint8Array(0)
    const chunks: Uint8Array[] = []
    let size = 0
    const reader = stream.getReader()
    for (let next = await readPiece(reader); !next.done; next = await readPiece(reader)) {
      size += next.value.byteLength
      if (size > this.bodyLimit) {
        await reader.cancel().catch(() => undefined)
        throw tooLarge(this.bodyLimit)
      }
      chunks.push(next.value)
    }
    return joinBytes(chunks)
  }
}

type Piece = { readonly done: false; readonly value: Uint8Array } | { readonly done: true }

/**
 * Reads the next piece of a body. Hosts report an incomplete body by errors of many kinds. All of them mean that the
 * client sent only a part.
 * @throws SvcError `client_gone`
 */
async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Piece> {
  try {
    return await reader.read()
  } catch (cause) {
    throw httpFail('client_gone', { cause })
  }
}

/** The response of a reply; `request` says whether the body is left out and when the client is gone. */
export function toResponse(reply: Reply, request: SvcRequest): Response {
  const init = { status: reply.status, headers: { ...reply.headers } }
  if (request.method === 'HEAD' || bodyless.has(reply.status)) {
    reply.stream?.(closedSink)
    return new Response(null, init)
  }
  if (reply.stream === undefined) return new Response((reply.body ?? null) as BodyInit | null, init)
  return new Response(openStream(reply.stream, request.signal), init)
}

function openStream(start: (sink: StreamSink) => void, signal: AbortSignal): ReadableStream<Uint8Array> {
  let drained: (() => void) | undefined
  let closed: (() => void) | undefined
  let over = false
  let behind = false
  let abort = (): void => undefined
  const finish = (): void => {
    if (over) return
    over = true
    signal.removeEventListener('abort', abort)
    closed?.()
  }
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES })
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const fail = (error: unknown): void => {
          if (over) return
          controller.error(error)
          finish()
        }
        abort = () => fail(signal.reason)
        // A signal that is aborted already fires no further event.
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort)
        const sink: StreamSink = {
          write: (chunk) => {
            if (over) return false
            controller.enqueue(chunk)
            behind = (controller.desiredSize ?? 0) <= 0
            return !behind
          },
          get buffered() {
            return over ? 0 : HIGH_WATER_BYTES - (controller.desiredSize ?? HIGH_WATER_BYTES)
          },
          onDrain: (listener) => {
            drained = listener
          },
          onClose: (listener) => {
            closed = listener
            if (over) closedSink.onClose(listener)
          },
          end: () => {
            if (over) return
            controller.close()
            finish()
          },
          abort: () => fail(httpFail('client_gone')),
        }
        try {
          start(sink)
        } catch (error) {
          fail(error)
        }
      },
      pull: () => {
        if (!behind) return
        behind = false
        drained?.()
      },
      cancel: finish,
    },
    strategy,
  )
}

/** The statuses that may have no body (WHATWG Fetch, "null body status"). */
const bodyless: ReadonlySet<number> = new Set([204, 205, 304])
