/** The SSE stream of a push's events: read from the store by cursor, never skipped, never buffered beyond one page. */
import type { Clock, Random, Timer } from '../../../core/environment.ts'
import type { StreamSink } from '../../../core/http/reply.ts'
import type { ReceiptEvent } from '../api.ts'
import type { SyncEngine } from '../engine/engine.ts'

/** What a stream runs with. */
export interface ReceiptStreamOptions {
  readonly engine: Pick<SyncEngine, 'events' | 'watch'>
  readonly clock: Clock
  readonly random: Random
  readonly heartbeatMs: number
  readonly maxAgeMs: number
  readonly stallMs: number
}

/** An open stream, for whoever has to end it. */
export interface ReceiptStream {
  end(): void
  /** Calls `listener` once the stream is over; at once where it is. */
  onClose(listener: () => void): void
}

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(': \n\n')
const HELLO = encoder.encode('retry: 1000\n\n')
const END = encoder.encode('event: end\ndata: {}\n\n')

/** Headers of every event stream here. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** Writes a push's events after `after` to a sink until nothing can follow, the reader leaves or stalls, or it is old. */
export function openReceiptStream(
  sink: StreamSink,
  pushId: string,
  after: number,
  options: ReceiptStreamOptions,
): ReceiptStream {
  const { engine, clock } = options
  let cursor = after
  let over = false
  let reading = false
  let dirty = false
  let blocked = false
  let stall: Timer
  let heartbeat: Timer
  let closed: (() => void) | undefined

  const end = (): void => {
    if (!over) sink.end()
  }
  const pump = async (): Promise<void> => {
    dirty = true
    if (reading) return
    reading = true
    try {
      while (dirty && !blocked && !over) {
        dirty = false
        const page = await engine.events(pushId, cursor)
        if (over) return
        const last = page.events[page.events.length - 1]
        if (last !== undefined) {
          cursor = last.sequence
          dirty = true
          write(encoder.encode(page.events.map(toFrame).join('')))
        }
        if (page.ended) {
          write(END)
          return end()
        }
      }
    } catch {
      // The store cannot be read: the client comes back to where it was and hears why.
      end()
    } finally {
      reading = false
    }
  }
  const write = (chunk: Uint8Array): void => {
    if (sink.write(chunk) || over || blocked) return
    blocked = true
    stall = clock.setTimeout(end, options.stallMs)
  }
  const beat = (): void => {
    heartbeat = clock.setTimeout(beat, options.heartbeatMs)
    if (!blocked) write(HEARTBEAT)
    // A push is settled by the mere passing of time too.
    void pump()
  }

  const unwatch = engine.watch(pushId, () => void pump())
  const spread = 0.8 + 0.4 * (options.random.bytes(1)[0]! / 255)
  const age = clock.setTimeout(end, options.maxAgeMs * spread)
  sink.onDrain(() => {
    blocked = false
    clock.clearTimeout(stall)
    void pump()
  })
  sink.onClose(() => {
    over = true
    unwatch()
    for (const timer of [stall, heartbeat, age]) clock.clearTimeout(timer)
    closed?.()
  })
  if (!over) {
    write(HELLO)
    heartbeat = clock.setTimeout(beat, options.heartbeatMs)
    void pump()
  }
  return {
    end,
    onClose(listener) {
      closed = listener
      if (over) listener()
    },
  }
}

function toFrame(event: ReceiptEvent): string {
  return `id: ${event.sequence}\nevent: receipt\ndata: ${JSON.stringify(event)}\n\n`
}
