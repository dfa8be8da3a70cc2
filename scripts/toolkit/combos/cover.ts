/** Chooses a small number of sets that contain every possible pair, or triple, of values at least once. */
import { allOf, type Domains, narrow, type Space, solve, valuesIn } from './solve.ts'

/** The sets. Each has the index of a value for every factor. */
export interface Cover {
  /** Number of possible pairs or triples. */
  readonly tuples: number
  readonly sets: readonly (readonly number[])[]
}

/** Number of candidates for each chosen set. */
const ATTEMPTS = 8

const RULED_OUT = 0
const WANTED = 1
const COVERED = 2

/** Covers a space. The result is deterministic. */
export function coverOf(space: Space, strength: 2 | 3): Cover {
  const table = tableOf(space, strength)
  const wanted = wantedIn(space, strength, table)
  const random = pseudoRandom()
  const sets: number[][] = []
  let next = 0
  for (;;) {
    while (next < wanted.length && table.state(wanted[next]!) !== WANTED) next++
    if (next === wanted.length) return { tuples: wanted.length, sets }
    let best: number[] | undefined
    let most = 0
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const set = grow(space, table, wanted[next]!, random)
      const gain = table.count(set)
      if (gain > most) [best, most] = [set, gain]
    }
    table.cover(best!)
    sets.push(best!)
  }
}

/** A value of a factor as one number, which is the same in all tuples. */
type Point = number

interface Table {
  state(points: readonly Point[]): number
  want(points: readonly Point[]): void
  point(factor: number, value: number): Point
  /** Number of uncovered tuples in a set. */
  count(set: readonly number[]): number
  cover(set: readonly number[]): void
  /** Number of uncovered tuples of one point with the chosen points. */
  gain(point: Point, chosen: readonly Point[]): number
}

function tableOf({ factors }: Space, strength: 2 | 3): Table {
  const starts: number[] = []
  let size = 0
  for (const { values } of factors) {
    starts.push(size)
    size += values.length
  }
  const states = new Uint8Array(size ** strength)
  const indexOf = (a: Point, b: Point, c: Point = 0): number => {
    if (strength === 2) return a < b ? a * size + b : b * size + a
    const [x, y, z] = [Math.min(a, b, c), a + b + c - Math.min(a, b, c) - Math.max(a, b, c), Math.max(a, b, c)]
    return (x * size + y) * size + z
  }
  const each = (points: readonly Point[], visit: (index: number) => void): void => {
    for (const [i, a] of points.entries()) {
      for (let j = i + 1; j < points.length; j++) {
        if (strength === 2) visit(indexOf(a, points[j]!))
        else for (let k = j + 1; k < points.length; k++) visit(indexOf(a, points[j]!, points[k]!))
      }
    }
  }
  const pointsOf = (set: readonly number[]): Point[] => set.map((value, factor) => starts[factor]! + value)
  return {
    state: ([a, b, c]) => states[indexOf(a!, b!, c)]!,
    want: ([a, b, c]) => void (states[indexOf(a!, b!, c)] = WANTED),
    point: (factor, value) => starts[factor]! + value,
    count: (set) => {
      let count = 0
      each(pointsOf(set), (index) => void (count += states[index] === WANTED ? 1 : 0))
      return count
    },
    cover: (set) =>
      each(pointsOf(set), (index) => {
        if (states[index] !== RULED_OUT) states[index] = COVERED
      }),
    gain: (point, chosen) => {
      let count = 0
      for (const [i, a] of chosen.entries()) {
        if (strength === 2) count += states[indexOf(point, a)] === WANTED ? 1 : 0
        else
          for (let j = i + 1; j < chosen.length; j++) count += states[indexOf(point, a, chosen[j]!)] === WANTED ? 1 : 0
      }
      return count
    },
  }
}

/** Every tuple that at least one valid set contains. */
function wantedIn(space: Space, strength: number, table: Table): Point[][] {
  const tuples: Point[][] = []
  const extend = (points: readonly Point[], from: number, domains: Domains): void => {
    for (let factor = from; factor < space.factors.length; factor++) {
      for (const value of valuesIn(domains[factor]!)) {
        const narrowed = domains.with(factor, 1 << value)
        if (!narrow(space, narrowed) || solve(space, narrowed) === undefined) continue
        const more = [...points, table.point(factor, value)]
        if (more.length < strength) extend(more, factor + 1, narrowed)
        else {
          table.want(more)
          tuples.push(more)
        }
      }
    }
  }
  const all = allOf(space)
  if (narrow(space, all)) extend([], 0, all)
  return tuples
}

/**
 * Extends a tuple to a complete set: for each factor, in a random order, it takes the value that covers most new tuples
 * with the earlier values.
 */
function grow(space: Space, table: Table, seed: readonly Point[], random: () => number): number[] {
  let domains = allOf(space)
  const first: number[] = []
  for (const [factor, { values }] of space.factors.entries()) {
    for (const value of values.keys()) {
      if (!seed.includes(table.point(factor, value))) continue
      domains[factor] = 1 << value
      first.push(factor)
    }
  }
  narrow(space, domains)
  const rest = space.factors.map((_, factor) => factor).filter((factor) => !first.includes(factor))
  const order = rest.map((factor) => ({ factor, at: random() })).sort((a, b) => a.at - b.at)
  const chosen = [...seed]
  for (const { factor } of order) {
    const ranked = valuesIn(domains[factor]!)
      .map((value) => ({ value, gain: table.gain(table.point(factor, value), chosen) }))
      .sort((a, b) => b.gain - a.gain)
    for (const { value } of ranked) {
      const next = domains.with(factor, 1 << value)
      if (!narrow(space, next) || solve(space, next) === undefined) continue
      domains = next
      chosen.push(table.point(factor, value))
      break
    }
  }
  return domains.map((values) => Math.log2(values))
}

/** Deterministic pseudo-random pseudoRandom (Park and Miller's generator). */
function pseudoRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state
  }
}
