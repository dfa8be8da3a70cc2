import type { Clock } from '../../../core/kernel/environment.ts'
import type { RunBase, RunName } from '../../realtime/runs/shared/api.ts'
import {
  type Acknowledgement,
  ASK_MS,
  expecting,
  JetStreamError,
  lastMessage,
  purge,
  readAnswer,
  refusal,
} from './jetstream.ts'
import type { Link } from './link.ts'
import { BASES, baseOf } from './names.ts'
import { readSubject } from './read-subject.ts'

/** Characters in one message of a base. */
const PART_CHARS = 262_144

/** One message of a base; `last` marks the one that completes it. */
interface Part extends Omit<RunBase, 'point'> {
  /** The version of the message: later ones add members. */
  readonly v?: number
  readonly id: string
  readonly part: number
  readonly last: boolean
  readonly text: string
}

/** What `BaseLog` works with. */
export interface BaseLogOptions {
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
  readonly link: Pick<Link, 'connection' | 'use'>
  /** Called with the subject of a message that is skipped because no node wrote it. */
  readonly onSkipped: (subject: string) => void
}

/**
 * The beginnings of logs that have lost their oldest events. A base is as many messages as its size needs, and the
 * newest complete base counts.
 */
export class BaseLog {
  readonly #options: BaseLogOptions

  constructor(options: BaseLogOptions) {
    this.#options = options
  }

  /** The newest complete base of a run; undefined if there is none. */
  async read(run: RunName): Promise<RunBase | undefined> {
    const subject = baseOf(run)
    const newest = await lastMessage(this.#options.link.use(), BASES, subject)
    if (newest === undefined) return undefined
    const only = readPart(newest.text)
    if (only?.part === 0 && only.last) return toBase([only])
    let base: RunBase | undefined
    let parts: Part[] = []
    await readSubject({
      ...{ ...this.#options, stream: BASES, subject, headersOnly: false },
      onBegin: () => {
        parts = []
      },
      onMessage: ({ message }) => {
        const part = readPart(message.string())
        if (part === undefined) return this.#options.onSkipped(subject)
        // A base that another node overtook has no last part.
        if (part.part === 0) parts = parts.filter(({ id }) => id !== part.id)
        parts.push(part)
        if (part.last) base = toBase(parts.filter(({ id }) => id === part.id)) ?? base
      },
    })
    return base
  }

  /**
   * Writes a base and removes older ones; does nothing if a later base exists. Each part names the part before it, so
   * of two nodes that write at once only the one that began later succeeds.
   * @throws JetStreamError on the other node
   */
  async write(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>): Promise<void> {
    const { randomBytes } = this.#options
    const subject = baseOf(run)
    const newest = await lastMessage(this.#options.link.use(), BASES, subject)
    const part = newest === undefined ? undefined : readPart(newest.text)
    if (part?.last && part.epoch === base.epoch && part.sequence >= base.sequence) return
    const id = Buffer.from(randomBytes(9)).toString('base64url')
    let count = 0
    let text = ''
    let first: number | undefined
    let before = newest?.seq ?? 0
    const send = async (last: boolean): Promise<number> => {
      const body = JSON.stringify({ v: 1, ...base, id, part: count, last, text } satisfies Part)
      const head = expecting(subject, before, `${id}.${count++}`)
      const answer = await this.#options.link.use().request(subject, body, { headers: head, timeout: ASK_MS })
      const { seq, duplicate = false } = readAnswer<Acknowledgement>(answer)
      if (duplicate) throw new JetStreamError(refusal.wrongSequence, 'another node wrote the beginning of this run')
      before = seq
      text = ''
      return seq
    }
    for await (const piece of point) {
      text += piece
      if (text.length < PART_CHARS) continue
      const seq = await send(false)
      first ??= seq
    }
    const last = await send(true)
    await purge(this.#options.link.use(), BASES, subject, first ?? last)
  }
}

/** Reads a part; undefined if no node wrote it. */
function readPart(text: string): Part | undefined {
  try {
    const part = JSON.parse(text) as Part
    const isWhole =
      [part.id, part.text, part.epoch].every((value) => typeof value === 'string') &&
      [part.part, part.sequence].every((value) => Number.isSafeInteger(value) && value >= 0) &&
      typeof part.last === 'boolean'
    return isWhole ? part : undefined
  } catch {
    return undefined
  }
}

function toBase(parts: readonly Part[]): RunBase | undefined {
  const [first] = parts
  if (first === undefined || parts.some(({ part }, index) => part !== index) || parts.at(-1)?.last !== true)
    return undefined
  return { epoch: first.epoch, sequence: first.sequence, point: parts.map(({ text }) => text).join('') }
}
