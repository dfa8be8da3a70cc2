/** The bars of a comparison. */

/** Prints a value beside its bar. Returns false if the bar is missed. */
export function isMet(name: string, value: number, bar: number, side: 'at least' | 'at most' = 'at least'): boolean {
  const met = side === 'at least' ? value >= bar : value <= bar
  console.log(`${met ? 'ok  ' : 'FAIL'} ${name}: ${value.toFixed(2)} (${side} ${bar})`)
  return met
}
