/** The events that an agent sends: an event stream (WHATWG HTML 9.2.6) of AG-UI events. */
import { createParser } from 'eventsource-parser'
import { isObject } from '../../../core/kernel/values.ts'
import { eventTypes } from '../runs/event-shape.ts'

/** Why the events of an agent cannot go on. */
export class AgentFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** An event of an agent. */
export interface AgentEvent {
  readonly event: object
  /** The length of its text, as a measure of its size. */
  readonly chars: number
}

/** Reads the events of one run from the bytes of its agent. */
export class AgentEvents {
  /** Events of types that AG-UI 1.0 does not have; they are left out, as standard clients do. */
  unknown = 0
  readonly #ids: { readonly runId: string; readonly threadId: string }
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  readonly #parser
  #texts: string[] = []
  #started = false
  #tooLarge = false

  /** `maxBytes` bounds one event. */
  constructor(ids: { readonly runId: string; readonly threadId: string }, maxBytes: number) {
    this.#ids = ids
    this.#parser = createParser({
      maxBufferSize: maxBytes,
      onEvent: ({ data }) => this.#texts.push(data),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#tooLarge = true
      },
    })
  }

  /**
   * The events that the next bytes complete.
   * @throws AgentFault
   */
  push(bytes: Uint8Array): readonly AgentEvent[] {
    return this.#take(() => this.#parser.feed(this.#decode(bytes)))
  }

  /**
   * The events of the last bytes, whose blank line may be missing.
   * @throws AgentFault
   */
  end(): readonly AgentEvent[] {
    return this.#take(() => {
      this.#parser.feed(`${this.#decode()}\n\n`)
    })
  }

  #take(feed: () => void): readonly AgentEvent[] {
    feed()
    const texts = this.#texts
    this.#texts = []
    const events = texts.flatMap((text) => this.#event(text) ?? [])
    if (this.#tooLarge) throw new AgentFault('svc.agent.limit', 'An event of the agent is larger than a run may hold.')
    return events
  }

  #event(text: string): AgentEvent | undefined {
    let event: unknown
    try {
      event = JSON.parse(text)
    } catch {
      throw invalid('an event is not JSON')
    }
    if (!isObject(event) || typeof event.type !== 'string') throw invalid('an event is a JSON object with a type')
    if (!eventTypes.has(event.type)) {
      this.unknown++
      return undefined
    }
    if (event.type !== 'RUN_STARTED' || this.#started) return { event, chars: text.length }
    // The service has written it already.
    this.#started = true
    const { runId, threadId } = this.#ids
    if (event['runId'] !== runId || event['threadId'] !== threadId)
      throw invalid('RUN_STARTED names another run or thread than the request')
    return undefined
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true })
    } catch {
      throw invalid('the stream is not UTF-8')
    }
  }
}

/** The code of the fault of an event that the run cannot take. */
export const invalidEvent = 'svc.agent.invalid_event'

/** The fault of an event that the run cannot take. */
export function invalid(reason: string): AgentFault {
  return new AgentFault(invalidEvent, `The agent sent an event that cannot be taken: ${reason}.`)
}
