/** Reads a request for an exchange. */

import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { Delegation } from '../api.ts'
import { refuse } from '../errors.ts'
import { splitScope } from '../token/claims.ts'
import { parseBody } from '../token/json-object.ts'

/** What a caller asks for. */
export interface ExchangeRequest {
  readonly key: string
  /** The user for whom the token is; the owner of the key if absent. */
  readonly subject: string | undefined
  /** The scopes that are asked for; undefined stands for the default. */
  readonly scopes: readonly string[] | undefined
  /** Seconds. */
  readonly expiresIn: number | undefined
}

/** Blanks and scope tokens of RFC 6749 section 3.3. */
const SCOPES = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

const MEMBERS = ['api_key', 'subject', 'scope', 'expires_in']

/**
 * Reads the key and the wishes of a request. `Authorization` is ignored, because a token cannot be exchanged.
 * @throws SvcError `malformed_request` that names every wrong member, `credential_missing` without a key
 */
export async function readExchange(
  request: SvcRequest,
  maxSeconds: number,
  readUser: Delegation['userId'],
): Promise<ExchangeRequest> {
  const inHeader = request.header('x-api-key')
  const bytes = await request.body()
  const body = bytes.length === 0 ? {} : parseBody(bytes)
  if (!isObject(body)) throw malformed(['expected an object'])
  const { api_key: inBody, subject, scope, expires_in } = body
  const problems = [
    ...(Object.keys(body).every((name) => MEMBERS.includes(name))
      ? []
      : [`expected no members but ${MEMBERS.join(', ')}`]),
    ...(inBody === undefined || typeof inBody === 'string' ? [] : ['api_key: expected a text']),
    ...(scope === undefined || (typeof scope === 'string' && SCOPES.test(scope))
      ? []
      : ['scope: expected a text of scopes, separated by blanks']),
    ...(expires_in === undefined || isSeconds(expires_in, maxSeconds)
      ? []
      : [`expires_in: expected a whole number of seconds from 1 to ${maxSeconds}`]),
  ]
  if (problems.length > 0) throw malformed(problems)
  const user = subject === undefined ? undefined : readUser(subject, 'subject')
  if (inHeader !== undefined && inBody !== undefined) {
    throw httpFail('malformed_request', { message: 'Give the API key in X-API-Key or in the body, not in both.' })
  }
  const key = inHeader ?? (inBody as string | undefined)
  if (key === undefined) throw refuse('credential_missing', { message: 'There is no API key to exchange.' })
  return {
    key,
    subject: user,
    scopes: typeof scope === 'string' ? splitScope(scope) : undefined,
    expiresIn: expires_in as number | undefined,
  }
}

function isSeconds(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max
}

function malformed(problems: readonly string[]): Error {
  return httpFail('malformed_request', {
    message: `The body does not have the expected shape. ${problems.join('; ')}`,
  })
}
