/** Reads the text of an answer for the page. */

/** The most characters of an answer that are shown. */
const MAX_SHOWN = 262_144
/** How long the answer is read if it is an event stream, in milliseconds. */
const STREAM_MS = 3_000

/** The beginning of the text of an answer, or all of it. */
export interface AnswerText {
  readonly text: string
  /** The size of `text` in bytes of UTF-8. */
  readonly size: number
  readonly isCut: boolean
}

/** Reads the beginning of an answer. An event stream is read for a few seconds. */
export async function readAnswerText(response: Response): Promise<AnswerText> {
  const { text, isCut } = await readText(response)
  return { text, size: new TextEncoder().encode(text).length, isCut }
}

async function readText(response: Response): Promise<Omit<AnswerText, 'size'>> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', isCut: false }
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const timer = isStream ? setTimeout(() => void reader.cancel(), STREAM_MS) : undefined
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    if (text.length <= MAX_SHOWN) continue
    void reader.cancel()
    return { text: text.slice(0, MAX_SHOWN), isCut: true }
  }
  clearTimeout(timer)
  return { text, isCut: isStream }
}
