import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import type { RunAppended, RunHead } from '../../realtime/api.ts'
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
  readonly clock: Pick<Clock, 'monotonic' | 'setTimeout'>
  readonly onError: (error: unknown) => void
}

/**
 * Writes appends. Each append names the position before it, and one is written behind each position, so an append that is sent
 * again for want of an answer is in the log once.
 */
export class RunWriter {
  readonly #options: RunWriterOptions
  #pending = 0

  constructor(options: RunWriterOptions) {
    this.#options = options
  }

  /** As `RunStore.append`; `carried` are further headers of the message. */
  async append(
    run: RunHead,
    events: readonly string[],
    expected: number,
    limitMs: number = APPEND_MS,
    carried: Readonly<Record<string, string>> = {},
  ): Promise<RunAppended> {
    const { link, clock } = this.#options
    const payload = Buffer.from(events.join('\n'))
    const subject = logOf(run.record)
    const head = expecting(subject, expected, run.id)
    if (run.gone) head.set('Nats-Rollup', 'sub')
    writeHead(head, run)
    for (const [name, value] of Object.entries(carried)) head.set(name, value)
    if (this.#pending > MAX_PENDING) return { is: 'refused' }
    const until = clock.monotonic() + Math.min(APPEND_MS, limitMs)
    let mayBeThere = false
    let hasRoom = !run.gone
    for (;;) {
      const nats = link.connection
      const left = until - clock.monotonic()
      if (nats !== undefined && left > 0) {
        const outcome = await this.#send(nats, subject, payload, head, Math.min(ANSWER_MS, left))
        if (outcome === 'sent') mayBeThere = true
        else if (outcome === 'full' && !hasRoom) {
          // The stream is full, so the messages of the removed run make room for its mark, all but the last one.
          hasRoom = true
          await purge(nats, RUNS, subject, expected).catch(this.#options.onError)
          continue
        } else if (outcome === 'full') return { is: 'refused' }
        else if (outcome !== 'unanswered') return outcome
      } else if (left <= 0 || !mayBeThere) return { is: mayBeThere ? 'unknown' : 'refused' }
      await this.#pause(PAUSE_MS)
    }
  }

  /** To be called on each connection: appends on the one before wait no longer. */
  renew(): void {
    this.#pending = 0
  }

  async #send(
    nats: NatsConnection,
    subject: string,
    payload: Uint8Array,
    head: MsgHdrs,
    timeout: number,
  ): Promise<RunAppended | 'sent' | 'unanswered' | 'full'> {
    const bytes = payload.length
    const settle = (): void => {
      this.#pending = Math.max(0, this.#pending - bytes)
    }
    this.#pending += bytes
    try {
      const answer = await nats.request(subject, payload, { headers: head, timeout })
      const { seq, duplicate = false } = readAnswer<Acknowledgement>(answer)
      settle()
      if (!duplicate) return { is: 'written', position: seq }
      // The message at the position is of another node, or of this one, whose acknowledgement was lost. Its caller finds that out.
      return seq > 0 ? { is: 'moved' } : 'sent'
    } catch (error) {
      if (error instanceof JetStreamError) {
        settle()
        if (error.number === refusal.wrongSequence) return { is: 'moved' }
        if (error.number === refusal.inProcess) return 'sent'
        this.#options.onError(error)
        return error.number === refusal.storeFailed ? 'full' : { is: 'refused' }
      }
      // Without an answer its bytes count until the next connection.
      const hasNoResponder = (error as { isNoResponders?: () => boolean }).isNoResponders?.() === true
      if (hasNoResponder) settle()
      return hasNoResponder ? 'unanswered' : 'sent'
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, ms))
  }
}
