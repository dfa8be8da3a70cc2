/** Reads the text of an answer for the page. */

/** The most characters of an answer that are shown. */
const MAX_SHOWN = 262_144
/** How long the answer is read if it is an event stream, in milliseconds. */
const STREAM_MS = 3_000

/** The beginning of the text of an answer, or all of it. */
export interface AnswerText {
  readonly text: string
  /** The bytes that were read. If the answer is cut, they may be more than those of `text`. */
  readonly size: number
  /** Whether the answer may be longer than `text`. Always true for an event stream. */
  readonly isCut: boolean
}

/** Reads the beginning of an answer. An event stream is read for a few seconds. */
export async function readAnswerText(response: Response): Promise<AnswerText> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', size: 0, isCut: false }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const timer = isStream ? setTimeout(() => void reader.cancel(), STREAM_MS) : undefined
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    size += value.byteLength
    if (text.length <= MAX_SHOWN) continue
    void reader.cancel()
    return { text: text.slice(0, MAX_SHOWN), size, isCut: true }
  }
  clearTimeout(timer)
  return { text, size, isCut: isStream }
}
