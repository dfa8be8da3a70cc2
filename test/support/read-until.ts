import { WAIT_MS } from '../runner/limit.ts'

/**
 * Reads a stream until its text is enough, and resolves to the text.
 * @throws Error if the stream ends before, or if the text is not enough after the longest wait of a test
 */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  isEnough: (text: string) => boolean,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // A cancelled reader reads the end of the stream.
  let why = 'the stream has ended'
  const timer = setTimeout(() => {
    why = `${WAIT_MS} ms have passed`
    reader.cancel().catch(() => undefined)
  }, WAIT_MS)
  try {
    while (!isEnough(text)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`${why}, and this is not enough: ${text}`)
      text += decoder.decode(value, { stream: true })
    }
    return text
  } finally {
    clearTimeout(timer)
  }
}
