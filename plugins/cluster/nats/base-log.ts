import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import type { RunBase, RunName } from '../../realtime/api.ts'
import { Consumer } from './consumer.ts'
import { ASK_MS, lastMessage, purge, readAnswer } from './jetstream.ts'
import { BASES, baseOf } from './names.ts'

/** Characters in one message of a base. */
const PART_CHARS = 262_144

/** How long the parts of a base may take to come, in milliseconds. */
const READ_MS = 4_000

/** What a part says of itself; `last` where the base is complete with it. */
interface Part extends Omit<RunBase, 'point'> {
  readonly id: string
  readonly part: number
  readonly last: boolean
  readonly text: string
}

/** What it works with. */
export interface BaseLogOptions {
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
  readonly connection: () => NatsConnection
  readonly onError: (error: unknown) => void
}

/** Where logs begin that have lost their oldest events: in as many messages as it takes. The newest that is complete counts. */
export class BaseLog {
  readonly #options: BaseLogOptions

  constructor(options: BaseLogOptions) {
    this.#options = options
  }

  /** The newest base of a run; undefined where there is none. */
  async read(run: RunName): Promise<RunBase | undefined> {
    const { connection, clock } = this.#options
    const subject = baseOf(run)
    const newest = await lastMessage(connection(), BASES, subject)
    if (newest === undefined) return undefined
    const only = JSON.parse(newest.text) as Part
    if (only.part === 0 && only.last) return toBase([only])
    return new Promise((resolve, reject) => {
      let found: RunBase | undefined
      let parts: Part[] = []
      const end = (error?: unknown): void => {
        clock.clearTimeout(timer)
        consumer.close()
        if (error === undefined) resolve(found)
        else reject(error)
      }
      const timer = clock.setTimeout(() => end(new Error('the beginning of a run took too long to come')), READ_MS)
      const consumer = new Consumer({
        ...{ stream: BASES, clock, connection, heartbeatMs: READ_MS, onError: end },
        config: () => {
          parts = []
          return { filter_subject: subject, deliver_policy: 'all' }
        },
        onMessage: ({ message }) => {
          const part = message.json<Part>()
          // One that another node went ahead of stays without its end.
          if (part.part === 0) parts = parts.filter(({ id }) => id !== part.id)
          parts.push(part)
          if (part.last) found = toBase(parts.filter(({ id }) => id === part.id)) ?? found
        },
        onCaughtUp: () => end(),
      })
    })
  }

  /**
   * Writes a base, and lets go of those before it; nothing where a later one is there. Each part follows the one before
   * it: where another node writes as well, the one that began later goes on. @throws JetStreamError in the other
   */
  async write(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>): Promise<void> {
    const { randomBytes, connection } = this.#options
    const subject = baseOf(run)
    const newest = await lastMessage(connection(), BASES, subject)
    if (newest !== undefined) {
      const { last, epoch, sequence } = JSON.parse(newest.text) as Part
      if (last && epoch === base.epoch && sequence >= base.sequence) return
    }
    const id = Buffer.from(randomBytes(9)).toString('base64url')
    let part = 0
    let text = ''
    let first: number | undefined
    let before = newest?.seq ?? 0
    const send = async (last: boolean): Promise<void> => {
      const body = JSON.stringify({ ...base, id, part, last, text } satisfies Part)
      const head = headers()
      head.set('Nats-Msg-Id', `${id}.${part++}`)
      head.set('Nats-Expected-Last-Subject-Sequence', String(before))
      const answer = await connection().request(subject, body, { headers: head, timeout: ASK_MS })
      before = readAnswer<{ seq: number }>(answer).seq
      first ??= before
      text = ''
    }
    for await (const piece of point) {
      text += piece
      if (text.length >= PART_CHARS) await send(false)
    }
    await send(true)
    await purge(connection(), BASES, subject, first!)
  }
}

function toBase(parts: readonly Part[]): RunBase | undefined {
  const [first] = parts
  if (first === undefined || parts.some(({ part }, index) => part !== index) || !parts.at(-1)!.last) return undefined
  return { epoch: first.epoch, sequence: first.sequence, point: parts.map(({ text }) => text).join('') }
}
