/**
 * The SSE stream of a push's events. It reads them from the store by cursor, skips none, and buffers at most one page.
 */
import type { OpenStream } from '../../realtime/streams/api.ts'
import type { ReceiptEvent } from '../api.ts'
import type { SyncEngine } from '../engine/engine.ts'

/** The members of an open stream that are used here. */
export type ReceiptConnection = Pick<OpenStream, 'blocked' | 'closed' | 'send' | 'onResume' | 'onClose' | 'end'>

const encoder = new TextEncoder()
const END = encoder.encode('event: end\ndata: {}\n\n')

/** Sends the events of a push after `after`, until no event can follow or the reader has disconnected. */
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
      // The store cannot be read. The client gets the reason and reconnects at its position.
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
