/**
 * Server-sent events on the wire (WHATWG HTML 9.2): LF only, and no value that a caller gives can start a new field.
 */

const encoder = new TextEncoder()

/** One event of a stream. `data` is text; JSON has one line. */
export interface SseEvent {
  readonly data: string
  readonly event?: string
  readonly id?: string
}

/**
 * Encodes one event. Line breaks inside `data` become further `data:` lines; in `id` and `event` they throw a
 * TypeError, as does NUL in `id`.
 */
export function encodeEvent(event: SseEvent): Uint8Array {
  let text = ''
  if (event.id !== undefined) text += `id: ${oneLine(event.id)}\n`
  if (event.event !== undefined) text += `event: ${oneLine(event.event)}\n`
  return encoder.encode(`${text}data: ${event.data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`)
}

/** Encodes a JSON value as an event of one `data:` line, with an id if one is given. */
export function encodeJson(value: unknown, id?: string): Uint8Array {
  return encodeJsonText(JSON.stringify(value), id)
}

/** The same for a text of `JSON.stringify`, which has no raw line breaks and is not checked again. */
export function encodeJsonText(json: string, id?: string): Uint8Array {
  return encoder.encode(id === undefined ? `data: ${json}\n\n` : `id: ${oneLine(id)}\ndata: ${json}\n\n`)
}

/** Encodes a comment, which is not an event for clients. It is the heartbeat. */
export function encodeComment(text: string): Uint8Array {
  return encoder.encode(`: ${text.replace(/\r\n|\r|\n/g, '\n: ')}\n\n`)
}

/** Encodes the reconnection time that a native EventSource is to use, in milliseconds. */
export function encodeRetry(ms: number): Uint8Array {
  return encoder.encode(`retry: ${Math.max(0, Math.trunc(ms))}\n\n`)
}

function oneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new TypeError('an SSE field value must be one line without NUL')
  return value
}
