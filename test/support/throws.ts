/** Checks the errors that code throws. */
import * as assert from 'uvu/assert'
import { isSvcError, type SvcError } from '../../core/declare/errors.ts'

/** Runs `work`, which must throw `code`, and returns the error. `what` is the case of a table. */
export function failure(code: string, work: () => unknown, what = ''): SvcError {
  try {
    work()
  } catch (error) {
    return checked(code, error, what)
  }
  throw new Error(`${what} expected ${code}, and nothing was thrown`.trim())
}

/** Waits for `work`, which must reject with `code`, and returns the error. `what` is the case of a table. */
export async function rejection(code: string, work: Promise<unknown>, what = ''): Promise<SvcError> {
  try {
    await work
  } catch (error) {
    return checked(code, error, what)
  }
  throw new Error(`${what} expected ${code}, and nothing was thrown`.trim())
}

/** The code with which `work` is refused, or `taken`. Fails with any other error. */
export async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'taken'
  } catch (error) {
    if (!isSvcError(error)) throw error
    return error.code
  }
}

function checked(code: string, error: unknown, what: string): SvcError {
  if (!isSvcError(error)) throw error
  assert.is(error.code, code, `${what} ${error.message}`.trim())
  return error
}
