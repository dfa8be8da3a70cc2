/** Skips, retries and what tests leave out, each with a reason, which the runner prints. */
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

/** The beginning of the line by which the runner recognises what a test left out. */
const LEFT_OUT_MARK = '# left out'

/** Reports a retry with its reason. */
export function again(reason: string): void {
  sayInTest(`${AGAIN_MARK} ${reason}`)
}

/** Reports what a running test leaves out, with the reason. The test counts as passed. */
export function leaveOut(what: string, reason: string): void {
  sayInTest(`${LEFT_OUT_MARK} ${what}: ${reason}`)
}

/** Writes a line for the runner, which sees a mark only where a line begins; uvu has begun one with its results. */
function sayInTest(line: string): void {
  process.stdout.write(`\n${line}\n`)
}

/** Skips a test of a suite and reports the reason. */
export function skip(test: Suite, name: string, reason: string): void {
  process.stdout.write(`${SKIP_MARK} ${name}: ${reason}\n`)
  test.skip()
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
