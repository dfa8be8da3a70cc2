/** Prints the results of the comparison. */
import type { Engines } from './servers.ts'

/** The input of each part of the comparison. */
export interface Setting {
  /** The program that reads many streams; undefined if it could not be compiled. */
  readonly load: string | undefined
  readonly folder: string
  readonly engines: Engines
}

/** Prints a value and its bar. Returns false if the bar is missed. */
export function holds(what: string, value: number, bar: number, side: 'at least' | 'at most' = 'at least'): boolean {
  const kept = side === 'at least' ? value >= bar : value <= bar
  console.log(`${kept ? 'kept  ' : 'MISSED'} ${what}: ${value.toFixed(2)} (${side} ${bar})`)
  return kept
}

/** Prints a value. */
export function show(what: string, figure: string): void {
  console.log(`${what.padEnd(62)} ${figure.padStart(12)}`)
}

/** A number rounded to an integer, with thousands separators. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
