/** What the last day says of the present: since when a check fails, and which numbers are higher than usual. */
import type { Conflict } from '../../../../kbd/api.ts'
import type { Day } from '../../../../telemetry/api.ts'
import { timeAt } from './day.ts'

/** Since when something is so. */
export interface Since {
  /** Unix time in milliseconds. */
  readonly sinceMs: number
  /** Whether nothing is known of the minute before, so that it may have begun earlier. */
  readonly isAtLeast: boolean
}

/** Since when a check fails without a break, as far as the day says; undefined if it does not. */
export function failsSince(day: Day, surface: string, name: string): Since | undefined {
  const values = day.checks.find((check) => check.name === name && check.surface === surface)?.values ?? []
  return since(day, values, (value) => value === false)
}

/** Since when the disk of the store has less room than `bytes`; undefined if the day does not say it. */
export function hasLessRoomSince(day: Day, bytes: number): Since | undefined {
  return since(day, day.freeBytes ?? [], (value) => value < bytes)
}

/** When a conflict began: with the second of its values, as the device of that value has said. */
export function conflictBegan({ candidates }: Pick<Conflict, 'candidates'>): number {
  const [first = 0, second = first] = candidates.map(({ issuedAtMs }) => issuedAtMs).sort((one, other) => one - other)
  return second
}

/** Since when the last values of a list are of a kind, without a break. */
function since<T>(day: Day, values: readonly (T | null)[], isOne: (value: T) => boolean): Since | undefined {
  // Nothing may be known yet of the minute that is running.
  const last = values.findLastIndex((value) => value !== null)
  const other = values.findLastIndex((value, index) => index <= last && (value === null || !isOne(value)))
  if (last === other) return undefined
  return { sinceMs: timeAt(day, other + 1), isAtLeast: (values[other] ?? null) === null }
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

/**
 * Whether a number of the day rises: it is over three times of what it was in the hour before. Nothing rises of which
 * that hour is not known.
 */
export function riseOf(day: Day, name: 'refusals' | 'errors'): Rise | undefined {
  const values = day[name]
  // The minute that is running has not ended.
  const end = values.length - 1
  const start = end - RECENT_MINUTES
  const recent = numbersIn(values.slice(Math.max(0, start), end))
  const usual = numbersIn(values.slice(Math.max(0, start - USUAL_MINUTES), Math.max(0, start)))
  if (usual.length === 0 || sumOf(recent) < LEAST_EVENTS) return undefined
  const [perMinute, usualPerMinute] = [sumOf(recent) / recent.length, sumOf(usual) / usual.length]
  const least = RISE * Math.max(usualPerMinute, LEAST_EVENTS / RECENT_MINUTES / RISE)
  if (perMinute < least) return undefined
  const isHigh = (value: number | null | undefined): boolean => typeof value === 'number' && value >= least
  let first = values.findIndex((value, index) => index >= start && index < end && isHigh(value))
  // It may have begun before the recent minutes.
  while (isHigh(values[first - 1])) first--
  return { sinceMs: timeAt(day, first), perMinute, usualPerMinute }
}

function numbersIn(values: readonly (number | null)[]): readonly number[] {
  return values.filter((value) => value !== null)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
