import { httpFail } from '../../../../core/catalogue.ts'
import { isObject } from '../../../../core/is-object.ts'

/** What a caller asks for in a new key. */
export interface KeyWish {
  readonly name: string
  /** A subset of the caller's; all of them where absent. */
  readonly scopes?: readonly string[]
  /** Seconds. */
  readonly expires_in?: number
}

const MAX_NAME_LENGTH = 100
const MAX_SCOPES = 100

/** A scope as RFC 6749 section 3.3 spells it. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/

/** Each member with what it must be and the check that it is. */
const MEMBERS: Readonly<Record<keyof KeyWish, readonly [expected: string, fits: (value: unknown) => boolean]>> = {
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
}

/**
 * Reads the body of a request for a new key.
 * @throws SvcError `malformed_request` that names every member that is wrong
 */
export function readWish(body: unknown): KeyWish {
  const given: Readonly<Record<string, unknown>> = isObject(body) ? body : {}
  const problems = Object.entries(MEMBERS)
    .filter(([name, [, fits]]) => !fits(given[name]))
    .map(([name, [expected]]) => `${name}: expected ${expected}`)
  const surplus = Object.keys(given).filter((name) => !Object.hasOwn(MEMBERS, name))
  if (surplus.length > 0) problems.push(`expected no members but ${Object.keys(MEMBERS).join(', ')}`)
  if (problems.length === 0) return given as unknown as KeyWish
  throw httpFail('malformed_request', { message: `The body does not have the expected shape. ${problems.join('; ')}` })
}
