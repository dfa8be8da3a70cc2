/** Leaving a test out aloud: a skip has a reason, and the runner counts it and shows it. */

/** What `skip` needs of a uvu suite. */
interface Skippable {
  skip(): void
}

/** The line by which the runner recognises a skip. */
const SKIP_MARK = '# skipped'

/** Leaves a test out of `test` and says why. */
export function skip(test: Skippable, name: string, reason: string): void {
  process.stdout.write(`${SKIP_MARK} ${name}: ${reason}\n`)
  test.skip()
}
