/** Results of test files, for tests of the runner. */
import type { FileResult } from './run-file.ts'

/** The result of a file that ran for 1.25 s without a test. `parts` replaces members of this result. */
export function resultOf(parts: Partial<FileResult>): FileResult {
  return {
    file: 'test/a.test.ts',
    passed: 0,
    failed: 0,
    skipped: 0,
    skips: [],
    retries: [],
    problems: [],
    durationMs: 1_250,
    output: '',
    ...parts,
  }
}
