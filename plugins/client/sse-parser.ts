/** One event of a stream as it was received. */
export interface ReceivedEvent {
  /** `message` if the stream names no type. */
  readonly type: string
  readonly data: string
  /** The id of this event, or of the last earlier event with an id; empty if no event had an id. */
  readonly id: string
  /**
   * The field `at`: when the service got the event, in Unix ms. A field of this service; other streams do not have it.
   */
  readonly atMs?: number
}

/** Parses an event stream (WHATWG HTML 9.2.6) from chunks of bytes of any size. */
export class SseParser {
  /** Last reconnection time that the stream asked for, in milliseconds. */
  retryMs: number | null = null
  lastEventId = ''
  readonly #emit: (event: ReceivedEvent) => void
  // Deno and workerd drop a byte order mark at the start of each chunk, not only at the start of the stream.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #atStart = true
  /** The pieces of an incomplete line. They are joined once, so that a long line costs linear time. */
  #line: string[] = []
  #afterCr = false
  #data: string[] = []
  #type = ''
  #id = ''
  #at = ''

  constructor(emit: (event: ReceivedEvent) => void) {
    this.#emit = emit
  }

  /** Takes the next bytes and emits the events that they complete. */
  push(bytes: Uint8Array): void {
    let text = this.#decoder.decode(bytes, { stream: true })
    if (this.#atStart && text !== '') {
      if (text.startsWith('\uFEFF')) text = text.slice(1)
      this.#atStart = false
    }
    // A CR has already ended the last line. Its LF may be the first character of this chunk.
    if (this.#afterCr && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1)
      this.#afterCr = false
    }
    const lines = text.split(/\r\n|\n|\r/)
    const rest = lines.pop()!
    if (text.endsWith('\r')) this.#afterCr = true
    for (const line of lines) {
      this.#line.push(line)
      this.#take(this.#line.join(''))
      this.#line = []
    }
    if (rest !== '') this.#line.push(rest)
  }

  #take(line: string): void {
    if (line === '') {
      this.lastEventId = this.#id
      if (this.#data.length > 0)
        this.#emit({
          ...{ type: this.#type || 'message', data: this.#data.join('\n'), id: this.#id },
          ...(this.#at !== '' && { atMs: Number(this.#at) }),
        })
      this.#data = []
      this.#type = ''
      this.#at = ''
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#type = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'at' && /^\d+$/.test(value)) this.#at = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value)
  }
}
