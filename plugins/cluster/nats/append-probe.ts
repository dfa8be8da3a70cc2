import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import { createInbox, hasMajority, streamInfo } from './jetstream.ts'
import type { Link } from './link.ts'
import { PROBE, RUNS } from './names.ts'
import { isOld } from './server-version.ts'

/** How long an append takes before probes are sent, in milliseconds: it has been sent twice then. */
const UNANSWERED_MS = 2_200

/** Pause after the probes of a round, in milliseconds. */
const ROUND_MS = 100

/** Probes of one round at most. */
const MAX_PROBES = 4_096

/** What `AppendProbe` works with. */
export interface AppendProbeOptions {
  readonly link: Pick<Link, 'connection'>
  readonly clock: Pick<Clock, 'monotonic' | 'setTimeout' | 'clearTimeout'>
}

/** One append, from when it is sent first until its outcome is known. */
export interface Watch {
  /** Resolves when probes are answered, but not what was sent before them: it was skipped, and has to be sent again. */
  freed(): Promise<void>
  end(): void
}

/**
 * Frees a stream that takes messages and writes none.
 *
 * The leader of a stream with several copies numbers what it proposes, refused messages included. Before nats-server
 * 2.10.12 a server that leads for the second time begins with the number that it had, unless more messages were written
 * meanwhile than were ever refused (https://github.com/nats-io/nats-server/pull/5179). The servers skip what has a
 * number from before, without an answer. Each proposal raises the number by one, so at the pace of appends that wait
 * for answers this lasts for minutes. Probes raise it at once: twice as many in each round, until one is answered.
 *
 * A probe is never written, because it expects that the newest message of the stream has an id that no message has.
 * None is sent while messages are written, to a server without the fault, or before a majority of the copies has
 * answered the leader since the append or the probes before: a leader that is cut off would number what is lost.
 */
export class AppendProbe {
  readonly #options: AppendProbeOptions
  readonly #waiting = new Set<() => void>()
  /** How many appends take too long. */
  #late = 0
  #isRunning = false

  constructor(options: AppendProbeOptions) {
    this.#options = options
  }

  /** To be called when an append begins. */
  watch(): Watch {
    const { clock } = this.#options
    const sentAt = clock.monotonic()
    let isLate = false
    let free: (() => void) | undefined
    const timer = clock.setTimeout(() => {
      isLate = true
      this.#late++
      if (!this.#isRunning) void this.#run(sentAt)
    }, UNANSWERED_MS)
    const forget = (): void => {
      if (free !== undefined) this.#waiting.delete(free)
    }
    return {
      freed: () => {
        forget()
        return new Promise((resolve) => {
          free = resolve
          this.#waiting.add(resolve)
        })
      },
      end: () => {
        clock.clearTimeout(timer)
        forget()
        if (isLate) this.#late--
        isLate = false
      },
    }
  }

  async #run(since: number): Promise<void> {
    const { clock, link } = this.#options
    this.#isRunning = true
    try {
      let sentAt = since
      let last: number | undefined
      for (let count = 1; this.#late > 0; ) {
        const nats = link.connection
        if (nats === undefined || !isOld(nats.info?.version)) return
        const info = await streamInfo(nats, RUNS)
        // A stream with one copy proposes nothing. If messages are written, appends wait for another reason.
        if (!info.cluster?.replicas?.length || (last !== undefined && info.state.last_seq > last)) return
        const isFirst = last === undefined
        last = info.state.last_seq
        if (isFirst || !hasMajority(info, 1e6 * (clock.monotonic() - sentAt))) {
          await this.#pause()
          continue
        }
        sentAt = clock.monotonic()
        if (await this.#isAnswered(nats, count)) {
          for (const free of this.#waiting) free()
          this.#waiting.clear()
          return
        }
        count = Math.min(2 * count, MAX_PROBES)
      }
    } catch {
      // Without an answer of the stream nothing can be done. The next append tries again.
    } finally {
      this.#isRunning = false
    }
  }

  /** Sends probes; true if one of them is answered within a round. */
  async #isAnswered(nats: NatsConnection, count: number): Promise<boolean> {
    const inbox = createInbox()
    let isAnswered = false
    const subscription = nats.subscribe(inbox, {
      callback: (error, message) => {
        // 503 says that nobody leads.
        if (error === null && message.headers?.code !== 503) isAnswered = true
      },
    })
    const head = headers()
    head.set('Nats-Expected-Last-Msg-Id', inbox)
    for (let n = 0; n < count; n++) nats.publish(PROBE, '', { headers: head, reply: inbox })
    await this.#pause()
    subscription.unsubscribe()
    return isAnswered
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, ROUND_MS))
  }
}
