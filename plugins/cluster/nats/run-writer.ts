import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { RunAppended, RunHead } from '../../realtime/runs/shared/api.ts'
import { AppendProbe, type Watch } from './append-probe.ts'
import { type Acknowledgement, expecting, JetStreamError, purge, readAnswer, refusal } from './jetstream.ts'
import type { Link } from './link.ts'
import { logOf, RUNS } from './names.ts'
import { writeHead } from './run-head.ts'

/** How long an append is tried if its caller gives no limit, and how long one answer may take, in milliseconds. */
const APPEND_MS = 4_000
const ANSWER_MS = 2_000
/** Pause between two attempts, in milliseconds. */
const PAUSE_MS = 50

/** Bytes of appends that may wait for an acknowledgement before further appends are refused. */
const MAX_PENDING = 33_554_432

/** What `RunWriter` works with. */
export interface RunWriterOptions {
  readonly link: Pick<Link, 'connection'>
  readonly clock: Pick<Clock, 'monotonic' | 'setTimeout' | 'clearTimeout'>
  readonly onError: (error: unknown) => void
}

interface Message {
  readonly subject: string
  readonly payload: Uint8Array
  readonly head: MsgHdrs
}

/**
 * Writes appends. Each append names the position before it, and one is written behind each position, so an append that
 * is sent again for want of an answer is in the log once.
 */
export class RunWriter {
  readonly #options: RunWriterOptions
  readonly #probe: AppendProbe
  #pending = 0
  /** Counts connections. */
  #generation = 0

  constructor(options: RunWriterOptions) {
    this.#options = options
    this.#probe = new AppendProbe(options)
  }

  /** As `RunStore.append`; `carried` are further headers of the message. */
  async append(
    run: RunHead,
    events: readonly string[],
    expected: number,
    limitMs: number = APPEND_MS,
    carried: Readonly<Record<string, string>> = {},
  ): Promise<RunAppended> {
    const subject = logOf(run.record)
    const head = expecting(subject, expected, run.id)
    if (run.gone) head.set('Nats-Rollup', 'sub')
    writeHead(head, run)
    for (const [name, value] of Object.entries(carried)) head.set(name, value)
    if (this.#pending > MAX_PENDING) return { is: 'refused' }
    const message = { subject, payload: Buffer.from(events.join('\n')), head }
    const watch = this.#probe.watch()
    try {
      return await this.#write(message, watch, Math.min(APPEND_MS, limitMs), run.gone ? expected : 0)
    } finally {
      watch.end()
    }
  }

  /** To be called on each connection: appends on the one before wait no longer. */
  renew(): void {
    this.#pending = 0
    this.#generation++
  }

  /**
   * Sends a message until it is written or time is over. If the stream is full, what is before `obsolete` makes room
   * once.
   */
  async #write(message: Message, watch: Watch, limitMs: number, obsolete: number): Promise<RunAppended> {
    const { link, clock } = this.#options
    const until = clock.monotonic() + limitMs
    let mayBeThere = false
    let hasRoom = obsolete === 0
    for (;;) {
      const nats = link.connection
      const left = until - clock.monotonic()
      if (nats !== undefined && left > 0) {
        const outcome = await this.#send(nats, message, watch, Math.min(ANSWER_MS, left))
        if (outcome === 'sent') mayBeThere = true
        else if (outcome === 'full' && !hasRoom) {
          hasRoom = true
          await purge(nats, RUNS, message.subject, obsolete).catch(this.#options.onError)
          continue
        } else if (outcome === 'full') return { is: 'refused' }
        else if (outcome !== 'unanswered') return outcome
      } else if (left <= 0 || !mayBeThere) return { is: mayBeThere ? 'unknown' : 'refused' }
      await this.#pause(PAUSE_MS)
    }
  }

  async #send(
    nats: NatsConnection,
    { subject, payload, head }: Message,
    watch: Watch,
    timeout: number,
  ): Promise<RunAppended | 'sent' | 'unanswered' | 'full'> {
    const settle = this.#hold(payload.length)
    try {
      const answer = await Promise.race([nats.request(subject, payload, { headers: head, timeout }), watch.freed()])
      settle()
      if (answer === undefined) return 'sent'
      const { seq, duplicate = false } = readAnswer<Acknowledgement>(answer)
      if (!duplicate) return { is: 'written', position: seq }
      // The message at the position is of another node, or of this one, whose acknowledgement was lost. Its caller
      // finds that out.
      return seq > 0 ? { is: 'moved' } : 'sent'
    } catch (error) {
      if (error instanceof JetStreamError) {
        if (error.number === refusal.wrongSequence) return { is: 'moved' }
        if (error.number === refusal.inProcess) return 'sent'
        this.#options.onError(error)
        return error.number === refusal.storeFailed ? 'full' : { is: 'refused' }
      }
      const hasNoResponder = (error as { isNoResponders?: () => boolean }).isNoResponders?.() === true
      if (hasNoResponder) settle()
      // The server reads in order, so it has read the message when it answers what is sent behind it.
      else nats.flush().then(settle, () => undefined)
      return hasNoResponder ? 'unanswered' : 'sent'
    }
  }

  /** Counts bytes that wait for the server, until the function is called or there is another connection. */
  #hold(bytes: number): () => void {
    const generation = this.#generation
    let held = bytes
    this.#pending += held
    return () => {
      if (this.#generation === generation) this.#pending -= held
      held = 0
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, ms))
  }
}
