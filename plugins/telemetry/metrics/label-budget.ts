/** Keeps the number of series bounded, whatever arrives as a label value. */

/** Distinct values that one label of one family may have; later ones are counted together. */
const MAX_VALUES = 200
/** UTF-16 units of one value: longer than any name, short enough that 200 of them weigh nothing. */
const MAX_LENGTH = 200
/** The value that stands for all beyond the budget. */
const OTHER = 'other'

/** The values that one label has had. */
export class LabelBudget {
  readonly #known: Set<string> = new Set()

  /** The value to record for `value`. */
  admit(value: string): string {
    const short = value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH) : value
    if (this.#known.has(short)) return short
    if (this.#known.size === MAX_VALUES) return OTHER
    this.#known.add(short)
    return short
  }
}
