/** A small constraint solver: finds values that satisfy the rules of the matrix. */

/** A variable with its possible values. */
export interface Factor {
  readonly name: string
  /** At most thirty values, because a mask has a bit for each. */
  readonly values: readonly string[]
}

/** A condition: the value of a factor is in `mask`, which has one bit per value in order. */
export interface Literal {
  readonly factor: number
  readonly mask: number
}

/** The variables and the rules. In each clause at least one literal must be true. */
export interface Space {
  readonly factors: readonly Factor[]
  readonly clauses: readonly (readonly Literal[])[]
}

/** The remaining values of each factor, one bit per value. */
export type Domains = number[]

/** Every value of every factor. */
export function allOf({ factors }: Space): Domains {
  return factors.map(({ values }) => (1 << values.length) - 1)
}

/** Removes the values that the clauses rule out. Returns false if a clause cannot be satisfied. */
export function narrow({ clauses }: Space, domains: Domains): boolean {
  for (let changed = true; changed; ) {
    changed = false
    for (const clause of clauses) {
      let open: Literal | undefined
      let several = false
      let holds = false
      for (const literal of clause) {
        const possible = domains[literal.factor]! & literal.mask
        if (possible === 0) continue
        if (possible === domains[literal.factor]) {
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

/** Returns one solution within `domains`, as a value index for every factor; undefined if there is none. */
export function solve(space: Space, domains: Domains): number[] | undefined {
  const remaining = [...domains]
  if (remaining.includes(0) || !narrow(space, remaining)) return undefined
  const open = remaining.findIndex((values) => (values & (values - 1)) !== 0)
  if (open < 0) return remaining.map((values) => Math.log2(values))
  for (const value of valuesIn(remaining[open]!)) {
    const solution = solve(space, remaining.with(open, 1 << value))
    if (solution !== undefined) return solution
  }
  return undefined
}

/** The value indexes in a mask. */
export function valuesIn(mask: number): number[] {
  const values: number[] = []
  for (let value = 0; mask >> value !== 0; value++) if (((mask >> value) & 1) === 1) values.push(value)
  return values
}
