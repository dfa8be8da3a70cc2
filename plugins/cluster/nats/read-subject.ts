import type { Clock } from '../../../core/kernel/environment.ts'
import { Consumer, type Delivered } from './consumer.ts'
import type { Link } from './link.ts'

/** How long reading all messages of a subject may take, in milliseconds. */
const READ_MS = 4_000

/** What to read, and with what. */
export interface ReadSubjectOptions {
  readonly link: Pick<Link, 'connection'>
  readonly clock: Clock
  readonly stream: string
  readonly subject: string
  /** Whether messages come without their contents. */
  readonly headersOnly: boolean
  /** Called before the first message; again if the reading has to begin anew. */
  readonly onBegin: () => void
  readonly onMessage: (delivered: Delivered) => void
}

/** Reads all messages of a subject that a stream has. Rejects if that fails or takes longer than 4 s. */
export function readSubject({
  link,
  clock,
  stream,
  subject,
  headersOnly,
  onBegin,
  onMessage,
}: ReadSubjectOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: unknown): void => {
      clock.clearTimeout(timer)
      if (error === undefined) resolve()
      else reject(error)
      consumer.close()
    }
    const timer = clock.setTimeout(() => end(new Error(`reading ${subject} took longer than ${READ_MS} ms`)), READ_MS)
    const consumer = new Consumer({
      ...{ stream, clock, connection: () => link.connection, heartbeatMs: READ_MS, onMessage, onError: end },
      config: () => {
        onBegin()
        return { filter_subject: subject, deliver_policy: 'all', headers_only: headersOnly }
      },
      onCaughtUp: () => end(),
    })
  })
}
