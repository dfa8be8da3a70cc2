/** Judges a test file by its output and by how its process ended. */

/** The end and the output of a process. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  readonly signal: string | null
  /** Why the runner killed the process. Undefined if the process ended by itself. */
  readonly ended?: 'time limit' | 'open handle' | undefined
  /** Whether processes that the file started are still running. */
  readonly leftovers: boolean
}

/** The result of one file. */
export interface Verdict {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** The skips, each with its reason. */
  readonly skips: readonly string[]
  /** The retries, each with its reason. */
  readonly retries: readonly string[]
  /** What tests that ran have left out, each with its reason. */
  readonly leftOut: readonly string[]
  /** Problems other than failed tests. */
  readonly problems: readonly string[]
}

/**
 * Judges a file. A file passes only if uvu's summary is complete, at least one test ran or was skipped with a reason,
 * every test passed, and the process ended by itself with exit code 0. `filtered` says that tests were chosen by name,
 * so that a file without a chosen test passes.
 */
export function judge(ended: Ended, filtered: boolean): Verdict {
  const stdout = plain(ended.stdout)
  const stderr = plain(ended.stderr)
  const problems: string[] = []
  const summary = [...stdout.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm)].at(-1)
  const [total, passed, skipped] =
    summary === undefined ? [0, 0, 0] : (summary.slice(1).map(Number) as [number, number, number])
  const skips = marked(stdout, 'skipped')

  if (summary === undefined && ended.ended === undefined) {
    problems.push(
      ended.code === 0 && stdout === ''
        ? 'no test ran: does the file end in test.run()?'
        : `it ended (${ended.signal ?? `exit code ${ended.code}`}) before its tests were through`,
    )
  }
  if (summary !== undefined && total === 0 && skipped === 0 && !filtered) problems.push('no test ran')
  if (skipped !== skips.length) {
    problems.push(`${skipped} skipped, ${skips.length} of them with a reason: use skip(), and no test.only`)
  }
  if (ended.ended === 'time limit') problems.push('the time limit of the file was reached')
  if (ended.ended === 'open handle') {
    problems.push(
      `its process did not end after the tests: ${match(stderr, /^# still open: (.*)$/m) ?? 'handle unknown'}`,
    )
  }
  const unhandled = match(stderr, /^# unhandled: (.*)$/m)
  if (unhandled !== undefined) problems.push(`an error went unhandled: ${unhandled}`)
  const hook = match(stderr, /^# hook failed: (.*)$/m)
  if (hook !== undefined) problems.push(`a hook failed: ${hook}`)
  if (
    summary !== undefined &&
    total === passed &&
    ended.ended === undefined &&
    ended.code !== 0 &&
    problems.length === 0
  ) {
    problems.push(`it ended with ${ended.signal ?? `exit code ${ended.code}`}`)
  }
  if (ended.leftovers) problems.push('processes that it started outlived it')

  const failedTests = total - passed
  return {
    passed,
    failed: failedTests > 0 ? failedTests : Math.min(1, problems.length),
    skipped,
    skips,
    retries: marked(stdout, 'again'),
    leftOut: marked(stdout, 'left out'),
    problems,
  }
}

/** Whether uvu's summary is complete. After it, the process should end. */
export function hasSummary(stdout: string): boolean {
  return /^ {2}Duration: /m.test(plain(stdout))
}

/** The processor time that the prelude reports, in seconds. Undefined if the prelude did not report it. */
export function processorSeconds(stderr: string): number | undefined {
  const text = match(stderr, /^# processor seconds: ([\d.]+)$/m)
  return text === undefined ? undefined : Number(text)
}

function marked(stdout: string, mark: string): string[] {
  return [...stdout.matchAll(new RegExp(`^# ${mark} (.*)$`, 'gm'))].map((line) => line[1]!)
}

function match(text: string, expression: RegExp): string | undefined {
  return expression.exec(text)?.[1]
}

/** Removes colours. */
export function plain(text: string): string {
  // biome-ignore lint/complexity/useRegexLiterals: the escape character is clearer as a text
  return text.replace(new RegExp('\u001b\\[[0-9;]*m', 'g'), '')
}
