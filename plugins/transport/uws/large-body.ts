/** Sends bodies that are larger than the library's cork buffer. */
import type { PlainReply, Reply } from '../../../core/http/reply.ts'
import { COUNTED_BYTES, holdUnread } from '../unread.ts'
import type { UwsResponse } from './addon.ts'

/** A reply whose body is not sent in one write. */
export type LargeReply = PlainReply & { readonly body: string | Uint8Array }

/**
 * Largest body in bytes that is sent with its head in one write. With the head it fits the cork buffer of 16 KiB; of a
 * larger one `end` drops what the socket does not take at that moment.
 */
const SMALL_BODY_BYTES = 12_288

/** Whether a reply has a body for `sendLarge`. */
export function isLarge(reply: Reply): reply is LargeReply {
  const { body } = reply
  if (body === undefined || body.length <= SMALL_BODY_BYTES / 3) return false
  return Buffer.byteLength(body) > SMALL_BODY_BYTES
}

/**
 * Sends a body after its head, as the socket takes it, and ends the response. `ended` is called when it has ended.
 * Returns a function to be called when the response is over or the client gone.
 */
export function sendLarge(res: UwsResponse, body: string | Uint8Array, ended: () => void): () => void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const unread = bytes.byteLength > COUNTED_BYTES ? holdUnread(bytes, () => res.close()) : undefined
  const send = (): boolean => {
    const [taken, over] = res.tryEnd(bytes.subarray(res.getWriteOffset()), bytes.byteLength)
    unread?.progress()
    if (over) {
      unread?.release()
      ended()
    }
    return taken
  }
  res.onWritable(send)
  send()
  return () => unread?.release()
}
