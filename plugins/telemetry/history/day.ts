/** The history of the last day, in the form of the answer. */
import type { Day } from '../api.ts'
import { MINUTE_MS, type Minute } from './minute.ts'

/** The number of minutes in an answer. */
export const DAY_MINUTES = 1_440
/** Most checks in an answer, and the longest name of one, so that the answer is smaller than 1 MiB. */
const MOST_CHECKS = 32
const MOST_NAME_LENGTH = 100

/** The day that ends with the minute `last`. `minutes` are those that are known, oldest first. */
export function toDay(minutes: readonly Minute[], last: number): Day {
  const from = last - DAY_MINUTES + 1
  const byMinute = new Map(minutes.map((one) => [one.minute, one]))
  const all = Array.from({ length: DAY_MINUTES }, (_, index) => byMinute.get(from + index))
  const valuesOf = (name: Exclude<keyof Minute, 'minute' | 'checks'>): (number | null)[] =>
    all.map((one) => one?.[name] ?? null)
  return {
    fromMs: from * MINUTE_MS,
    stepMs: MINUTE_MS,
    checks: checksOf(minutes).map(([key, bits]) => {
      const [surface = '', ...name] = key.split(' ')
      const values = all.map((one) => (one?.checks[key] === undefined ? null : (one.checks[key] & 1) === 1))
      return { name: name.join(' '), surface, required: (bits & 2) !== 0, values }
    }),
    requests: valuesOf('requests'),
    errors: valuesOf('errors'),
    refusals: valuesOf('refusals'),
    p95Ms: valuesOf('p95Ms'),
    streams: valuesOf('streams'),
    starts: valuesOf('starts'),
    freeBytes: valuesOf('freeBytes'),
  }
}

/** The checks of all minutes, each with its newest bits; those of the newest minutes first. */
function checksOf(minutes: readonly Minute[]): readonly (readonly [key: string, bits: number])[] {
  const newestBits = new Map<string, number>()
  for (const { checks } of minutes.toReversed())
    for (const [key, bits] of Object.entries(checks)) if (!newestBits.has(key)) newestBits.set(key, bits)
  return [...newestBits].filter(([key]) => key.length <= MOST_NAME_LENGTH).slice(0, MOST_CHECKS)
}
