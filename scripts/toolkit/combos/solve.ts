/** Finds values that agree with each other: a small solver for what the rows of the matrix ask of one another. */

/** One thing that is chosen, and between what. */
export interface Factor {
  readonly name: string
  /** At most thirty. */
  readonly values: readonly string[]
}

/** That the value of a factor is one of those in `mask`, which has a bit for each value in their order. */
export interface Literal {
  readonly factor: number
  readonly mask: number
}

/** What can be chosen; in each clause at least one literal has to hold. */
export interface Space {
  readonly factors: readonly Factor[]
  readonly clauses: readonly (readonly Literal[])[]
}

/** For each factor the values that are left, a bit each. */
export type Domains = number[]

/** Every value of every factor. */
export function allOf({ factors }: Space): Domains {
  return factors.map(({ values }) => (1 << values.length) - 1)
}

/** Takes away what the clauses rule out as it is; false where a factor has nothing left. */
export function narrow({ clauses }: Space, domains: Domains): boolean {
  for (let changed = true; changed; ) {
    changed = false
    for (const clause of clauses) {
      let open: Literal | undefined
      let several = false
      let holds = false
      for (const literal of clause) {
        const left = domains[literal.factor]! & literal.mask
        if (left === 0) continue
        if (left === domains[literal.factor]) {
          holds = true
          break
        }
        several = open !== undefined
        open = literal
        if (several) break
      }
      if (holds || several) continue
      if (open === undefined) return false
      domains[open.factor]! &= open.mask
      changed = true
    }
  }
  return true
}

/** One choice for every factor within `domains`, as the number of its value; undefined where there is none. */
export function solve(space: Space, domains: Domains): number[] | undefined {
  const left = [...domains]
  if (left.includes(0) || !narrow(space, left)) return undefined
  const open = left.findIndex((values) => (values & (values - 1)) !== 0)
  if (open < 0) return left.map((values) => Math.log2(values))
  for (const value of valuesIn(left[open]!)) {
    const found = solve(space, left.with(open, 1 << value))
    if (found !== undefined) return found
  }
  return undefined
}

/** The values in a mask, by number. */
export function valuesIn(mask: number): number[] {
  const found: number[] = []
  for (let value = 0; mask >> value !== 0; value++) if (((mask >> value) & 1) === 1) found.push(value)
  return found
}
