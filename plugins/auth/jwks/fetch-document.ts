import { joinBytes } from '../../../core/bytes.ts'
import { unavailable } from './unavailable.ts'

/** Limits of reading a key set, and the function that sends the request. */
export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly maxBytes: number
}

/**
 * Reads a document and returns its text. Only status 200 is accepted. Redirects are not followed, because only the configured
 * URL is trusted. At most `maxBytes` are read. `timeoutMs` covers the whole answer.
 * @throws SvcError `jwks_unavailable`, whose cause quotes nothing of the answer
 */
export async function fetchDocument(url: string, options: FetchOptions): Promise<string> {
  const request = options.fetch(url, {
    redirect: 'manual',
    headers: { accept: 'application/jwk-set+json, application/json' },
    signal: AbortSignal.timeout(options.timeoutMs),
  })
  const response = await request.catch(notReached)
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw unavailable('not_readable', `the endpoint answered ${response.status || 'with a redirect'}`)
  }
  const bytes = await readBytes(response.body, options.maxBytes)
  try {
    // A byte order mark is removed, because some servers put one in front of their files.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unavailable('not_readable', 'the answer is not UTF-8')
  }
}

async function readBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(notReached)
    if (done) return joinBytes(chunks)
    length += value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw unavailable('not_readable', `the answer is larger than ${maxBytes} bytes`)
    }
    chunks.push(value)
  }
}

function notReached(cause: unknown): never {
  throw unavailable('not_reached', cause)
}
