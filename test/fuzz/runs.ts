/** The number of inputs that a fuzzer tries, and their seed. */
import { countOf } from '../support/count.ts'

/** Parameters for `fc.assert`. */
export interface Runs {
  readonly numRuns: number
  readonly seed?: number
  readonly path?: string
}

/**
 * The number of inputs: 250, or 2 000 in a deep run, or the value of `SVC_FUZZ_RUNS`. A failure names its seed and
 * path; `SVC_FUZZ_SEED` and `SVC_FUZZ_PATH` repeat it.
 * @throws TypeError for a variable that is not an integer
 */
export function runs(): Runs {
  const seed = integer('SVC_FUZZ_SEED')
  const path = process.env['SVC_FUZZ_PATH'] ?? ''
  return {
    numRuns: countOf({ quick: 250, deep: 2_000, variable: 'SVC_FUZZ_RUNS' }),
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
