/** The figures of comparisons: rounds in turns, medians, ratios and bars. */

/** The number of rounds: `SVC_BENCH_ROUNDS`, or the usual number of the comparison. */
export function roundsOf(usual: number): number {
  return Number(process.env['SVC_BENCH_ROUNDS'] ?? usual)
}

/**
 * Measures all contestants in each round, so that other load on the machine affects all of them. Every other round is
 * in reverse order, because the speed of the machine drifts.
 */
export async function inTurns<T>(
  rounds: number,
  contestants: readonly T[],
  measure: (one: T, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) await measure(one, round)
}

/** The values of several rows, one value per round. */
export class Rows {
  readonly #rows = new Map<string, number[]>()

  get names(): string[] {
    return [...this.#rows.keys()]
  }

  add(name: string, value: number): void {
    this.#rows.set(name, [...this.values(name), value])
  }

  values(name: string): readonly number[] {
    return this.#rows.get(name) ?? []
  }

  median(name: string): number {
    return median(this.values(name))
  }

  /** The median of the ratios of two rows. Each ratio is of values of the same round. */
  ratio(name: string, over: string): number {
    const divisors = this.values(over)
    return median(this.values(name).map((value, round) => value / divisors[round]!))
  }
}

/** The median, which outliers of a noisy machine hardly change; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Prints a value beside its bar. Returns false if the bar is missed. */
export function isMet(name: string, value: number, bar: number, side: 'at least' | 'at most' = 'at least'): boolean {
  const met = side === 'at least' ? value >= bar : value <= bar
  console.log(`bar: ${name}, ${side} ${bar}: ${value.toFixed(2)} ${met ? 'kept' : 'MISSED'}`)
  return met
}

/** Prints a line with a title and its figures. */
export function show(what: string, ...figures: readonly string[]): void {
  console.log(what.padEnd(66) + figures.map((figure) => ` ${figure.padStart(14)}`).join(''))
}

/** A number rounded to an integer, with thousands separators. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
