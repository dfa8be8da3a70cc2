/** Numbers, sizes, times and texts as the page shows them. */
import { printable } from '../../../../core/kernel/printable.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A duration in its largest unit: `850 ms`, `12 s`, `4 min`, `3 h`, `2 d`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1_000)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return `${Math.floor(ms / DAY_MS)} d`
}

/** How long ago a Unix time was, or how far it is in the future. */
export function ago(timeMs: number, nowMs: number): string {
  const passed = nowMs - timeMs
  if (Math.abs(passed) < 1_000) return 'now'
  return passed < 0 ? `in ${duration(-passed)}` : `${duration(passed)} ago`
}

/** A Unix time in full, in the time zone of the reader. */
export function fullTime(timeMs: number): string {
  return new Date(timeMs).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** The local time of day of a Unix time, to the millisecond: `14:03:07.120`. */
export function clockTime(timeMs: number): string {
  const time = new Date(timeMs)
  const millis = String(time.getMilliseconds()).padStart(3, '0')
  return `${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}:${twoDigits(time.getSeconds())}.${millis}`
}

/** A part of a time of day, with a zero before a single digit. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A size in binary units: `812 B`, `14.2 KiB`. */
export function bytes(size: number): string {
  let unit = 0
  let value = size
  while (value >= 1_024 && unit < UNITS.length - 1) {
    value /= 1_024
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

/** A whole number with thin spaces between thousands. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u2009')
}

/** A number with its noun: `1 card`, `3 cards`. */
export function countOf(value: number, singular: string, plural: string = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`
}

/** The first 8 characters of an id, without the prefix `ed25519:` of a key. */
export function shortId(id: string): string {
  return id.replace(/^ed25519:/, '').slice(0, 8)
}

/**
 * A text of a client as the page shows it: invisible characters and changes of direction become escapes such as
 * `\u{202e}`. With `max`, at most so many UTF-16 units, and `…` if the text is longer.
 */
export function visible(text: string, max?: number): string {
  return printable(text, { max, keepsLines: true })
}
