import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Callers, ReadersElsewhere, RunName } from '../../realtime/runs/shared/api.ts'
import { ASK_MS, lastMessage, purge, readAnswer } from './jetstream.ts'
import type { Link } from './link.ts'
import { BASES, callerOf, logOf, READERS, READING } from './names.ts'

/** How long the question for readers waits for an answer, in milliseconds. */
const READERS_MS = 500

/** Most runs of which this node remembers that readers were cut. */
const MAX_CUT = 4_096

/** What `NatsCallers` works with. */
export interface NatsCallersOptions {
  readonly link: Pick<Link, 'connection' | 'use'>
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  readonly randomBytes: (length: number) => Uint8Array
  /** Whether this node has readers of the run with a subject. */
  readonly isRead: (subject: string) => boolean
}

/**
 * The nodes that call agents. Each has a subject with one message, which it writes again and again, so the position of
 * the message is its mark. The subjects are among those of bases, because nodes of earlier versions set the subjects of
 * the stream back.
 */
export class NatsCallers implements Callers {
  readonly own: string
  readonly #options: NatsCallersOptions
  /** Questions that wait for an answer, by the subject of the run. */
  readonly #asking = new Map<string, Set<() => void>>()
  /** Runs whose readers were cut by the stop of another node, until somebody asks. */
  readonly #cut = new Set<string>()
  #listening: NatsConnection | undefined
  #isLeaving = false

  constructor(options: NatsCallersOptions) {
    this.#options = options
    this.own = Buffer.from(options.randomBytes(12)).toString('base64url')
  }

  async renew(): Promise<void> {
    const head = headers()
    head.set('Nats-Rollup', 'sub')
    readAnswer(await this.#options.link.use().request(callerOf(this.own), '', { headers: head, timeout: ASK_MS }))
  }

  async markOf(node: string): Promise<number> {
    return (await lastMessage(this.#options.link.use(), BASES, callerOf(node)))?.seq ?? 0
  }

  forget(node: string): Promise<void> {
    return purge(this.#options.link.use(), BASES, callerOf(node), Number.MAX_SAFE_INTEGER)
  }

  async readersElsewhere(run: RunName): Promise<ReadersElsewhere> {
    const { link, clock } = this.#options
    const nats = link.connection
    // Without NATS nobody can answer, and no end could be appended to the run either.
    if (nats === undefined) return 'some'
    const subject = logOf(run)
    const isThere = await new Promise<boolean>((resolve) => {
      const asking = this.#asking.get(subject) ?? new Set()
      const end = (hasReaders: boolean): void => {
        clock.clearTimeout(timer)
        asking.delete(onFound)
        if (asking.size === 0) this.#asking.delete(subject)
        resolve(hasReaders)
      }
      const onFound = (): void => end(true)
      const timer = clock.setTimeout(() => end(false), READERS_MS)
      this.#asking.set(subject, asking.add(onFound))
      nats.publish(READERS, JSON.stringify({ run: subject, node: this.own }))
    })
    const wasCut = this.#cut.delete(subject)
    return isThere ? 'some' : wasCut ? 'ended' : 'none'
  }

  /** To be called on each connection: listens to the questions and answers of other nodes on it. */
  listen(): void {
    const nats = this.#options.link.use()
    // A connection that came back has its subscriptions.
    if (this.#listening === nats) return
    this.#listening = nats
    const on = (subject: string, take: (said: Said) => void): void => {
      const callback = (error: Error | null, message: Msg): void => {
        const said = error === null ? readSaid(message) : undefined
        if (said !== undefined && said.node !== this.own) take(said)
      }
      nats.subscribe(subject, { callback })
    }
    on(READERS, ({ run }) => {
      if (!this.#isLeaving && this.#options.isRead(run)) this.#say(nats, { run, node: this.own })
    })
    on(READING, ({ run, isCut = false }) => {
      if (isCut) this.#keepCut(run)
      else for (const onFound of [...(this.#asking.get(run) ?? [])]) onFound()
    })
  }

  /** Says of runs that this node, which stops, cuts their readers. From then on it has none for others. */
  cut(runs: readonly string[]): void {
    this.#isLeaving = true
    const nats = this.#options.link.connection
    if (nats !== undefined) for (const run of runs) this.#say(nats, { run, node: this.own, isCut: true })
  }

  #say(nats: NatsConnection, said: Said): void {
    nats.publish(READING, JSON.stringify(said))
  }

  #keepCut(run: string): void {
    this.#cut.add(run)
    if (this.#cut.size > MAX_CUT) for (const oldest of this.#cut) return void this.#cut.delete(oldest)
  }
}

/** What nodes say of the readers of a run. */
interface Said {
  /** The subject of the run. */
  readonly run: string
  readonly node: string
  readonly isCut?: boolean
}

function readSaid(message: Msg): Said | undefined {
  try {
    const said = message.json<Said>()
    return typeof said.run === 'string' && typeof said.node === 'string' ? said : undefined
  } catch {
    return undefined
  }
}
