/** How the comparison shows its figures. */
import type { Engines } from './servers.ts'

/** What each part works with. */
export interface Setting {
  /** The program that reads many streams; undefined where it could not be compiled. */
  readonly load: string | undefined
  readonly folder: string
  readonly engines: Engines
}

/** Shows a figure against what it must reach; false where it does not. */
export function holds(what: string, value: number, bar: number, side: 'at least' | 'at most' = 'at least'): boolean {
  const kept = side === 'at least' ? value >= bar : value <= bar
  console.log(`${kept ? 'kept  ' : 'MISSED'} ${what}: ${value.toFixed(2)} (${side} ${bar})`)
  return kept
}

/** Shows a figure. */
export function show(what: string, figure: string): void {
  console.log(`${what.padEnd(62)} ${figure.padStart(12)}`)
}

/** A whole number with its thousands apart. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
