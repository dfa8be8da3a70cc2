import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { isObject } from '../../../../core/kernel/values.ts'

/** The body of a request for a new key. */
export interface KeyRequest {
  readonly name: string
  /** A subset of the caller's scopes; all of them if absent. */
  readonly scopes?: readonly string[]
  /** Life of the key in seconds. */
  readonly expires_in?: number
  /** The user who gets the key; the caller if absent. */
  readonly user_id?: string
}

const MAX_NAME_LENGTH = 100
const MAX_SCOPES = 100

/** A scope token of RFC 6749 section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/

/** The expected form of each member, in words and as a check. */
const MEMBERS: Readonly<Record<keyof KeyRequest, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
  name: [
    `a text of 1 to ${MAX_NAME_LENGTH} characters`,
    (value) => typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH,
  ],
  scopes: [
    `a list of at most ${MAX_SCOPES} scopes`,
    (value) =>
      value === undefined ||
      (Array.isArray(value) &&
        value.length <= MAX_SCOPES &&
        value.every((scope) => typeof scope === 'string' && SCOPE.test(scope))),
  ],
  expires_in: [
    'a whole number of seconds from 1 up',
    (value) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1),
  ],
  user_id: ['the id of a user', (value) => value === undefined || typeof value === 'string'],
}

/**
 * Reads the body of a request for a new key.
 * @throws SvcError `malformed_request` that names every wrong member
 */
export function readKeyRequest(body: unknown): KeyRequest {
  if (isKeyRequest(body)) return body
  const problems = findProblems(isObject(body) ? body : {}).join('; ')
  throw httpFail('malformed_request', { message: `The body does not have the expected shape. ${problems}` })
}

function isKeyRequest(body: unknown): body is KeyRequest {
  return isObject(body) && findProblems(body).length === 0
}

function findProblems(body: Readonly<Record<string, unknown>>): readonly string[] {
  const problems = Object.entries(MEMBERS)
    .filter(([name, [, fits]]) => !fits(body[name]))
    .map(([name, [expected]]) => `${name}: expected ${expected}`)
  const hasOthers = Object.keys(body).some((name) => !Object.hasOwn(MEMBERS, name))
  return hasOthers ? [...problems, `expected no members but ${Object.keys(MEMBERS).join(', ')}`] : problems
}
