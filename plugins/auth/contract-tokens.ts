/** Credentials for the cases of the contracts. */
import type { Answer, Send, Target } from '../../core/testing/contract.ts'
import { createWebCryptoProvider } from './crypto/web.ts'
import { mintToken } from './token/mint.ts'

/** The JWT secret of every service under test, unless a case gives another one. */
export const CONTRACT_SECRET = 'conformance-secret-of-at-least-32-bytes!'

/** A path without a route. The answer is 401 to an unknown caller and 404 to a known one. */
export const NOWHERE = '/no-such-path'

/** Creates a token of the configured secret. It is valid for a minute unless `claims` or `header` change that. */
export async function mint(
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, string>> = {},
): Promise<string> {
  const key = createWebCryptoProvider().hmacKey(new TextEncoder().encode(CONTRACT_SECRET))
  const now = Math.floor(Date.now() / 1000)
  return mintToken(key, header, { sub: 'ada', iat: now, exp: now + 60, ...claims })
}

/** Sends a request with a bearer token. */
export function withToken(target: Target, token: string, send: Send = { path: NOWHERE }): Promise<Answer> {
  return target.request({ ...send, headers: { ...send.headers, authorization: `Bearer ${token}` } })
}

/**
 * Compares an answer with a status and a code of the envelope.
 * @throws Error that shows the expected and the actual answer
 */
export function expectAnswer(answer: Answer, status: number, code?: string): void {
  const actualCode = answer.text.startsWith('{')
    ? (answer.json() as { error?: { code?: string } }).error?.code
    : undefined
  if (answer.status !== status || (code !== undefined && actualCode !== code)) {
    throw new Error(`expected ${status} ${code ?? ''}, got ${answer.status} ${answer.text.slice(0, 200)}`)
  }
}
