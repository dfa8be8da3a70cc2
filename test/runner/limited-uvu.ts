/**
 * uvu with a time limit for each test, a report of failing hooks, and a choice of tests by name. The prelude loads this
 * module in place of uvu; a test file that is run directly gets uvu itself.
 */
import { inspect } from 'node:util'
import * as uvu from 'uvu'
import { limitMs } from './limit.ts'

export { exec } from 'uvu'

type Suite = uvu.Test<uvu.Context>
type Handler = uvu.Callback<uvu.Context>

const wanted = process.env['SVC_TEST_GREP'] ?? ''

/** Creates a suite like uvu's `suite`. */
export function suite(name?: string, state?: uvu.Context): Suite {
  const real = uvu.suite(name, state)
  const add =
    (to: (name: string, handler: Handler) => void) =>
    (test: string, handler: Handler): void => {
      if (`${name ?? ''} ${test}`.includes(wanted)) to(test, limited(test, handler))
    }
  const before = Object.assign((hook: Handler) => real.before(reported('before', hook)), {
    each: (hook: Handler) => real.before.each(reported('before.each', hook)),
  })
  const after = Object.assign((hook: Handler) => real.after(reported('after', hook)), {
    each: (hook: Handler) => real.after.each(reported('after.each', hook)),
  })
  return Object.assign(add(real), { before, after, only: add(real.only), skip: real.skip, run: real.run }) as Suite
}

/** The suite without a name. */
export const test: Suite = suite()

function limited(name: string, handler: Handler): Handler {
  return async (context) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`"${name}" did not end within ${limitMs} ms`)), limitMs)
    })
    try {
      await Promise.race([handler(context), late])
    } catch (error) {
      throw printable(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** uvu prints only errors, and only `details` that are text: at any other value it stops and loses the later tests. */
function printable(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`thrown: ${String(error)}`)
  const { details } = error as { details?: unknown }
  return details === undefined || typeof details === 'string'
    ? error
    : Object.create(error, { details: { value: inspect(details) } })
}

/** uvu swallows an error of a hook and skips the tests after it, so this line reports the error to the runner. */
function reported(where: string, hook: Handler): Handler {
  return async (context) => {
    try {
      await limited(where, hook)(context)
    } catch (error) {
      process.stderr.write(`# hook failed: ${where}: ${(error as Error).stack}\n`)
      throw error
    }
  }
}
