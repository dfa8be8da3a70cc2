/** Skips and retries with a reason, which the runner prints. */
import { isDeep } from './count.ts'

/** The part of a uvu suite that a skip needs. */
interface Suite {
  (name: string, work: () => void | Promise<void>): void
  skip(): void
}

/** The beginning of the line by which the runner recognises a skip. */
const SKIP_MARK = '# skipped'

/** The beginning of the line by which the runner recognises a retry. */
const AGAIN_MARK = '# again'

/** Reports a retry with its reason. */
export function again(reason: string): void {
  // On a line of its own: uvu has begun one with the results so far.
  process.stdout.write(`\n${AGAIN_MARK} ${reason}\n`)
}

/** Skips a test of a suite and reports the reason. */
export function skip(test: Suite, name: string, reason: string): void {
  saySkipped(name, reason)
  test.skip()
}

/** Reports that a part of a test is skipped, with the reason. */
export function saySkipped(name: string, reason: string): void {
  process.stdout.write(`${SKIP_MARK} ${name}: ${reason}\n`)
}

/** Adds a test, or skips it if there is a reason. */
export function testUnless(
  test: Suite,
  reason: string | undefined,
  name: string,
  work: () => void | Promise<void>,
): void {
  if (reason === undefined) test(name, work)
  else skip(test, name, reason)
}

/** Adds tests to a suite, or skips each of them if there is a reason. */
export function unless(
  test: Suite,
  reason: string | undefined,
): (name: string, work: () => void | Promise<void>) => void {
  return (name, work) => testUnless(test, reason, name, work)
}

/** Adds a test to `make test-deep`, where it is skipped if there is a reason. `make test` has no such test. */
export function testDeep(...added: Parameters<typeof testUnless>): void {
  if (isDeep()) testUnless(...added)
}
