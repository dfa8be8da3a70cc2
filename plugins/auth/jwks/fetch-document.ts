/** Limits of reading a key set, and the function that sends the request. */
export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly maxBytes: number
}

/**
 * Reads a document and returns its text. Only status 200 is accepted. Redirects are not followed, because only the configured
 * URL is trusted. At most `maxBytes` are read. `timeoutMs` covers the whole answer.
 * @throws Error that names the failure and quotes nothing of the answer
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
