/** How often a fuzzer runs, and from which seed. */

/** Inputs of each fuzzer in `make test`; `make fuzz` tries more. */
const DEFAULT_RUNS = 2_000

/** Parameters for `fc.assert`. */
export interface Runs {
  readonly numRuns: number
  readonly seed?: number
  readonly path?: string
}

/**
 * The number of inputs, 2 000 or that of `SVC_FUZZ_RUNS`. A failure names its seed and path; `SVC_FUZZ_SEED` and
 * `SVC_FUZZ_PATH` go there again.
 * @throws TypeError for a variable that is no integer
 */
export function runs(): Runs {
  const count = integer('SVC_FUZZ_RUNS') ?? DEFAULT_RUNS
  const seed = integer('SVC_FUZZ_SEED')
  const path = process.env['SVC_FUZZ_PATH'] ?? ''
  return {
    numRuns: Math.max(1, count),
    ...(seed === undefined ? {} : { seed }),
    ...(path === '' ? {} : { path }),
  }
}

function integer(name: string): number | undefined {
  const text = process.env[name] ?? ''
  if (text === '') return undefined
  if (!/^-?\d+$/.test(text)) throw new TypeError(`${name} wants an integer, got "${text}"`)
  return Number(text)
}
