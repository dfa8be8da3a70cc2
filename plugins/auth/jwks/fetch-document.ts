import type { SvcError } from '../../../core/declare/errors.ts'
import { joinBytes } from '../../../core/kernel/bytes.ts'
import { refuse } from '../errors.ts'

/** Limits of reading a key set, and the function that sends the request. */
export interface FetchOptions {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly maxBytes: number
}

/**
 * Reads a document and returns its text. Only status 200 is accepted. Redirects are not followed, because only the
 * configured URL is trusted. At most `maxBytes` are read. `timeoutMs` covers the whole answer.
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

/** Why a key set cannot be used. Callers get the text, so it contains nothing of the address or of the answer. */
const problems = {
  not_reached: 'The endpoint of the configured key set cannot be reached.',
  not_readable: 'The endpoint of the configured key set answers with something other than a key set.',
  not_discovered: 'The discovery document of the configured issuer cannot be used.',
  no_usable_key: 'The configured key set has no key that verifies RS256.',
}

/** The `reason` in the error envelope of `jwks_unavailable`. */
type JwksProblem = keyof typeof problems

/** Makes the 401 `jwks_unavailable` with its reason. `cause` is for the log; it quotes nothing of the answer. */
export function unavailable(reason: JwksProblem, cause?: unknown): SvcError {
  return refuse('jwks_unavailable', { message: problems[reason], details: { reason }, cause })
}
