/** How a key set is read from its URL. */
export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly maxBytes: number
}

/**
 * The body of a 200 answer, as text. Follows no redirect, since the URL that was configured is the one that is
 * trusted; reads no more than `maxBytes`; `timeoutMs` covers the body too.
 * @throws Error saying what was wrong with the answer, never what was in it
 */
export async function fetchDocument(url: string, options: FetchOptions): Promise<string> {
  const response = await options.fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/jwk-set+json, application/json' },
    signal: AbortSignal.timeout(options.timeoutMs),
  })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`the endpoint answered ${response.status === 0 ? 'with a redirect' : response.status}`)
  }
  return readText(response.body, options.maxBytes)
}

async function readText(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = body.getReader()
  let text = ''
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw new Error(`the answer is larger than ${maxBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
