/** What the last day says of the present: since when a check fails, and which numbers are higher than usual. */
import type { Day } from '../../../../telemetry/api.ts'
import { timeAt } from './day.ts'

/** Unix time in milliseconds since when a check fails without a break, as far as the day says; undefined if it does not. */
export function failsSince(day: Day, surface: string, name: string): number | undefined {
  const values = day.checks.find((check) => check.name === name && check.surface === surface)?.values ?? []
  // Nothing may be known yet of the minute that is running.
  const last = values.findLastIndex((value) => value !== null)
  let first = last + 1
  while (values[first - 1] === false) first--
  return first > last ? undefined : timeAt(day, first)
}

/** A number of the day that is higher than usual. */
export interface Rise {
  /** Unix time in milliseconds. */
  readonly sinceMs: number
  readonly perMinute: number
  readonly usualPerMinute: number
}

/** The last minutes that are compared with the hour before them. */
const RECENT_MINUTES = 5
const USUAL_MINUTES = 60
/** Fewer events than this in the recent minutes are no rise. */
const LEAST_EVENTS = 20
/** How many times higher than usual it is. */
const RISE = 3

/** Whether a number of the day rises: it is over three times of what it was in the hour before. */
export function riseOf(day: Day, name: 'refusals' | 'errors'): Rise | undefined {
  const values = day[name]
  // The minute that is running has not ended.
  const end = values.length - 1
  const start = end - RECENT_MINUTES
  const meanOf = (from: number, to: number): number => {
    const known = values.slice(Math.max(0, from), to).filter((value) => typeof value === 'number')
    return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length
  }
  const [perMinute, usualPerMinute] = [meanOf(start, end), meanOf(start - USUAL_MINUTES, start)]
  const least = RISE * Math.max(usualPerMinute, LEAST_EVENTS / RECENT_MINUTES / RISE)
  if (perMinute < least) return undefined
  const first = values.slice(start, end).findIndex((value) => (value ?? 0) >= least)
  return { sinceMs: timeAt(day, start + Math.max(0, first)), perMinute, usualPerMinute }
}
