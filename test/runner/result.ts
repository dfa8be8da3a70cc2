/** The result of a test file, for tests of the runner. */
import type { FileResult } from './run-file.ts'

/** A file that ran for 1.25 s and did nothing, with other members in place of those. */
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
