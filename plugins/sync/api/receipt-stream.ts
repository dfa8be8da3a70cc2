/** The SSE stream of a push's events: read from the store by cursor, never skipped, never buffered beyond one page. */
import type { OpenStream } from '../../realtime/api.ts'
import type { ReceiptEvent } from '../api.ts'
import type { SyncEngine } from '../engine/engine.ts'

/** What is used of an open stream. */
export type ReceiptConnection = Pick<OpenStream, 'blocked' | 'closed' | 'send' | 'onResume' | 'onClose' | 'end'>

const encoder = new TextEncoder()
const END = encoder.encode('event: end\ndata: {}\n\n')

/** Sends a push's events after `after` until nothing can follow or the reader is gone. */
export function sendReceiptEvents(
  connection: ReceiptConnection,
  engine: Pick<SyncEngine, 'events' | 'watch'>,
  pushId: string,
  after: number,
): void {
  let cursor = after
  let reading = false
  let dirty = false

  const pump = async (): Promise<void> => {
    dirty = true
    if (reading) return
    reading = true
    try {
      while (dirty && !connection.blocked && !connection.closed) {
        dirty = false
        const { events, ended } = await engine.events(pushId, cursor)
        const last = events[events.length - 1]
        if (last !== undefined) {
          cursor = last.sequence
          dirty = true
          connection.send(encoder.encode(events.map(toFrame).join('')))
        }
        if (ended) {
          connection.send(END)
          connection.end()
          return
        }
      }
    } catch {
      // The store cannot be read: the client comes back to where it was, and hears why.
      connection.end()
    } finally {
      reading = false
    }
  }
  connection.onClose(engine.watch(pushId, () => void pump()))
  connection.onResume(() => void pump())
  void pump()
}

function toFrame(event: ReceiptEvent): string {
  return `id: ${event.sequence}\nevent: receipt\ndata: ${JSON.stringify(event)}\n\n`
}
