/** Positions in the stream of a thread: `<epoch>-<sequence>.<base64url of the run's id>`. */
import { decodeBase64url, encodeBase64url } from '../../../../core/base64url.ts'
import { strictUtf8 } from '../../../../core/utf8.ts'

/** A position: a run, and a position in it. */
export interface ThreadCursor {
  readonly runId: string
  /** `<epoch>-<sequence>`. */
  readonly position: string
}

/** What the id of an event has in the stream of a thread, beside the event's id in the stream of its run. */
export function threadSuffix(runId: string): string {
  return `.${encodeBase64url(new TextEncoder().encode(runId))}`
}

/** Parses a position; undefined if the text is not one. */
export function parseThreadCursor(text: string): ThreadCursor | undefined {
  const [, position, name] = /^([a-z2-7]{8}-\d{1,16})\.([A-Za-z0-9_-]+)$/.exec(text) ?? []
  const bytes = name === undefined ? null : decodeBase64url(name)
  if (position === undefined || bytes === null) return undefined
  try {
    return { runId: strictUtf8.decode(bytes), position }
  } catch {
    return undefined
  }
}
