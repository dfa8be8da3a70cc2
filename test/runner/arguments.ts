/** The command line of the test runner. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

/** What a run was asked for. */
export interface RunArguments {
  /** Parts of paths; a file runs when its path contains one of them, every file where there is none. */
  readonly only: readonly string[]
  readonly grep: string | undefined
  readonly jobs: number
  readonly timeoutMs: number
}

/** The usage, for `--help` and for a wrong command line. */
export const usage: string = `usage: node test/run.ts [part of a path …] [--grep text] [--jobs N] [--timeout-ms N]

  node test/run.ts                    every test file
  node test/run.ts unit/core          those whose path contains unit/core
  node test/run.ts --grep 'time out'  the tests whose name contains "time out"
`

/** Reads the command line; undefined asks for the usage. @throws TypeError for an option that does not exist */
export function readArguments(args: readonly string[]): RunArguments | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      jobs: { type: 'string' },
      'timeout-ms': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return undefined
  return {
    only: positionals,
    grep: values.grep,
    jobs: positive('jobs', values.jobs) ?? Math.min(2, availableParallelism()),
    timeoutMs: positive('timeout-ms', values['timeout-ms']) ?? 420_000,
  }
}

function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d*$/.test(value)) throw new TypeError(`--${name} wants a positive number, got "${value}"`)
  return Number(value)
}
