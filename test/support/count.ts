/** How much a test tries: a small fixed number in `make test`, the full number in `make test-deep`. */

/** The numbers of one test. */
export interface Counts {
  /** In `make test`. */
  readonly quick: number
  /** In `make test-deep`. */
  readonly deep: number
  /** An environment variable that overrides the number. */
  readonly variable?: string
}

/** Whether this run takes the full numbers, as `make test-deep` does. */
export function isDeep(): boolean {
  return process.env['SVC_TEST_DEEP'] === '1'
}

/**
 * The number for this run: the value of the variable if it is set, otherwise the quick or the deep number.
 * @throws TypeError for a variable that is not a positive integer
 */
export function countOf({ quick, deep, variable }: Counts): number {
  const text = variable === undefined ? '' : (process.env[variable] ?? '')
  if (text === '') return isDeep() ? deep : quick
  if (!/^[1-9]\d*$/.test(text)) throw new TypeError(`${variable} wants a positive integer, got "${text}"`)
  return Number(text)
}
