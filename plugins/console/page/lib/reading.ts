/** What the page knows of a datum. `parts/datum.tsx` is the only part that draws it. */
import type { ServiceError } from './service.ts'

/** The results of the reads of a datum so far. */
export interface Reading<T> {
  /** The newest value; undefined before the first read has succeeded. A failed read does not remove the value. */
  readonly data: T | undefined
  /** The error of the last read; undefined if the last read succeeded. */
  readonly error: ServiceError | undefined
  /** Unix time in milliseconds of the newest value; undefined before the first. */
  readonly atMs: number | undefined
}

/** The results of reads, with what they are about. */
export interface ReadOf<T> extends Reading<T> {
  readonly inputs: readonly unknown[]
}

/** The results of reads about these inputs: none if the reads were about other ones. */
export function readAbout<T>(inputs: readonly unknown[], read: ReadOf<T>): ReadOf<T> {
  const isSame = inputs.length === read.inputs.length && inputs.every((input, at) => Object.is(input, read.inputs[at]))
  return isSame ? read : { data: undefined, error: undefined, atMs: undefined, inputs }
}

/**
 * `loading`: the first read has not ended. `fresh`: the last read succeeded. `stale`: there is a value, and it may be
 * old. `refused`: there is no value, because the service refuses to give it. `unknown`: there is no value, because
 * nothing answers.
 */
export type Knowledge = 'loading' | 'fresh' | 'stale' | 'refused' | 'unknown'

/**
 * How much of a datum is known. While the service does not answer, every value may be old, also one that is read only
 * once.
 */
export function knowledgeOf(
  { atMs, error }: Pick<Reading<unknown>, 'atMs' | 'error'>,
  isUnreachable: boolean,
): Knowledge {
  const isAway = isUnreachable || (error !== undefined && isNoAnswer(error))
  if (atMs !== undefined) return isAway || error !== undefined ? 'stale' : 'fresh'
  if (isAway) return 'unknown'
  return error === undefined ? 'loading' : 'refused'
}

/** Whether an error says that nothing answered, so that it is no answer of the service. */
export function isNoAnswer({ status, code }: Pick<ServiceError, 'status' | 'code'>): boolean {
  return status === 0 || code === 'service_away'
}

/** What to do about a refusal: the hint of the service, or one for the credential of the console. */
export function hintOf({ status, hint }: Pick<ServiceError, 'status' | 'hint'>): string | undefined {
  if (hint !== undefined) return hint
  if (status === 401)
    return 'The service does not accept the credential of this console. Write a new token to the file of --token-file, which is read again at the next request, or start svc console again.'
  if (status === 403)
    return 'The credential of this console does not allow this. Start svc console with another --scope, --sub or --token-file.'
  return undefined
}
