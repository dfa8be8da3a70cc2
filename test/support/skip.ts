/** Leaving a test out, or trying it again, aloud: there is a reason, and the runner shows it. */

/** What is needed of a uvu suite. */
interface Suite {
  (name: string, work: () => void | Promise<void>): void
  skip(): void
}

/** The line by which the runner recognises a skip. */
const SKIP_MARK = '# skipped'

/** The line by which it recognises that something is tried again. */
const AGAIN_MARK = '# again'

/** Says that what failed is tried again, and why. */
export function again(reason: string): void {
  process.stdout.write(`${AGAIN_MARK} ${reason}\n`)
}

/** Leaves a test out of `test` and says why. */
export function skip(test: Suite, name: string, reason: string): void {
  saySkipped(name, reason)
  test.skip()
}

/** Says that a part of a test is left out, and why. */
export function saySkipped(name: string, reason: string): void {
  process.stdout.write(`${SKIP_MARK} ${name}: ${reason}\n`)
}

/** A test that is left out where there is a reason to. */
export function testUnless(
  test: Suite,
  reason: string | undefined,
  name: string,
  work: () => void | Promise<void>,
): void {
  if (reason === undefined) test(name, work)
  else skip(test, name, reason)
}
