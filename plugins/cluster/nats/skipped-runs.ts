import type { Msg } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import { createSerialQueue } from '../../../core/kernel/serial-queue.ts'
import { dropOldest } from '../../../core/kernel/values.ts'
import type { StoredHead } from '../../realtime/runs/shared/api.ts'
import type { Link } from './link.ts'
import { RUNS } from './names.ts'
import { readSubject } from './read-subject.ts'
import { readHead } from './run-head.ts'

/** How many subjects whose newest message was skipped are remembered. */
const MAX_SUBJECTS = 10_000

/** What `SkippedRuns` works with. */
export interface SkippedRunsOptions {
  readonly link: Pick<Link, 'connection'>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** The newest skipped message of a subject, and the position of the newest message before it that a node wrote. */
interface Skipped {
  position: number
  /** 0 if there is none; undefined until the subject has been read. */
  after: number | undefined
}

/**
 * The subjects of runs whose newest message is not of a node. The run before it goes on: its head is read, and an
 * append behind this head is written behind the skipped message.
 */
export class SkippedRuns {
  readonly #options: SkippedRunsOptions
  readonly #subjects = new Map<string, Skipped>()
  readonly #inTurn = createSerialQueue()
  #finding = 0

  constructor(options: SkippedRunsOptions) {
    this.#options = options
  }

  /** Whether subjects are being read. */
  get isFinding(): boolean {
    return this.#finding > 0
  }

  /**
   * Skips a message. Resolves once the subject is read, with the newest head before the message if no later one has
   * come.
   */
  add({ subject }: Msg, position: number): Promise<StoredHead | undefined> {
    const skipped: Skipped = { position, after: undefined }
    this.#subjects.set(subject, skipped)
    if (this.#subjects.size > MAX_SUBJECTS) dropOldest(this.#subjects)
    this.#finding++
    return this.#inTurn(() => this.#find(subject, skipped)).finally(() => this.#finding--)
  }

  /** To be called with each message of a node: it is the newest of its subject. */
  passed({ subject }: Msg): void {
    this.#subjects.delete(subject)
  }

  /** The position that NATS expects of an append behind the head at a position. */
  behind(subject: string, position: number): number {
    const skipped = this.#subjects.get(subject)
    return skipped?.after === position ? skipped.position : position
  }

  async #find(subject: string, skipped: Skipped): Promise<StoredHead | undefined> {
    const isNewest = (): boolean => this.#subjects.get(subject) === skipped
    if (!isNewest()) return undefined
    let newest: StoredHead | undefined
    try {
      await readSubject({
        ...{ ...this.#options, stream: RUNS, subject, headersOnly: true },
        onBegin: () => {
          newest = undefined
        },
        onMessage: ({ position, message }) => {
          const head = readHead(message)
          if (head !== undefined && position < skipped.position) newest = { ...head, position }
        },
      })
    } catch (error) {
      this.#options.onError(error)
      return undefined
    }
    // While the subject was read, a node may have written behind the skipped message.
    if (!isNewest()) return undefined
    skipped.after = newest?.position ?? 0
    return newest
  }
}
