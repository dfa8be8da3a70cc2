/** The command line of the test runner. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

/** One of `of` parts of the files: the part number `index`, counted from 1. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** The options of a run. */
export interface RunArguments {
  /** Parts of paths: a file runs if its path contains one of them. Every file runs if the list is empty. */
  readonly only: readonly string[]
  readonly grep: string | undefined
  /**
   * The number of test files that run at one time. The default is one more than there are processors, because each file
   * waits for a part of its time. Above 1, more run while the processors are idle.
   */
  readonly jobs: number
  readonly timeoutMs: number
  /** Whether the packages and executables are built first, unless `dist/` has them from the same sources. */
  readonly build: boolean
  /** Whether tests take their full numbers. */
  readonly deep: boolean
  readonly shard: Shard | undefined
}

/** The usage, for `--help` and for a wrong command line. */
export const usage: string = `usage: node test/run.ts [part of a path …] [--grep text] [--jobs N] [--timeout-ms N] [--build] [--deep] [--shard n/m]

  node test/run.ts                    every test file
  node test/run.ts unit/core          those whose path contains unit/core
  node test/run.ts --grep 'time out'  the tests whose name contains "time out"
  node test/run.ts --build            builds the packages and executables first, unless dist/ is up to date
  node test/run.ts --deep             with the full numbers of seeds, graphs, inputs and kills
  node test/run.ts --shard 2/8        the second of eight parts of the files
`

/** Reads the command line. Returns undefined for `--help`. @throws TypeError for a wrong option or value */
export function readArguments(args: readonly string[]): RunArguments | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      jobs: { type: 'string' },
      'timeout-ms': { type: 'string' },
      build: { type: 'boolean' },
      deep: { type: 'boolean' },
      shard: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return undefined
  return {
    only: positionals,
    grep: values.grep,
    jobs: positive('jobs', values.jobs) ?? availableParallelism() + 1,
    timeoutMs: positive('timeout-ms', values['timeout-ms']) ?? 900_000,
    build: values.build === true,
    deep: values.deep === true,
    shard: toShard(values.shard),
  }
}

function positive(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d*$/.test(value)) throw new TypeError(`--${name} wants a positive number, got "${value}"`)
  return Number(value)
}

function toShard(value: string | undefined): Shard | undefined {
  if (value === undefined) return undefined
  const [index = 0, of = 0] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(value) ?? []).slice(1).map(Number)
  if (index === 0 || index > of) throw new TypeError(`--shard wants n/m with n of 1 to m, got "${value}"`)
  return { index, of }
}
