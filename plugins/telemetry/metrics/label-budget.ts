/** Limits the number of series, whatever label values occur. */

/** Maximum number of values of one label in one family. Further values are counted together. */
const MAX_VALUES = 200
/** Maximum length of a value in UTF-16 units. It is longer than any name and limits the memory of 200 values. */
const MAX_LENGTH = 200
/** The value that replaces all further values. */
const OTHER = 'other'

/** The values of one label. */
export class LabelBudget {
  readonly #known: Set<string> = new Set()

  /** Returns the value to record for `value`. */
  admit(value: string): string {
    const short = value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH) : value
    if (this.#known.has(short)) return short
    if (this.#known.size === MAX_VALUES) return OTHER
    this.#known.add(short)
    return short
  }
}
