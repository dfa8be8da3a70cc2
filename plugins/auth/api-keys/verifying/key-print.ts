import { SECRET_AT } from '../key-text/key-text.ts'

/** What is remembered of a verified key in place of its text. */
export interface KeyPrint {
  readonly one: number
  readonly two: number
}

/** Weights have 40 bits: with 49 characters below 128 a sum stays below 2^53, so that it is exact. */
const WEIGHT_BYTES = 5
/** Weights for two sums. */
const WEIGHTS = 98

/**
 * Makes prints of texts of a key's shape: two sums of all characters behind the id, each times a weight of its own. The
 * weights are random, drawn by `draw` for the first print, and never leave the process.
 *
 * Where two texts differ, whatever the other weights are, at most one of the 2^40 values of a weight makes their sums the
 * same. So who knows no weight guesses with a chance of one in 2^80 that a text passes for another, for which no cipher has
 * to hold; and all texts take the same time, a quarter of a hash's. Prints hold 106 of the 256 bits of a secret at most, so
 * that memory gives no key away.
 */
export function createKeyPrinter(draw: (length: number) => Uint8Array): (text: string) => KeyPrint {
  let weights: Float64Array | undefined
  return (text) => {
    weights ??= new Float64Array(WEIGHTS).map(() => draw(WEIGHT_BYTES).reduce((sum, byte) => sum * 256 + byte, 0))
    let one = 0
    let two = 0
    for (let at = 0; at < WEIGHTS; ) {
      const character = text.charCodeAt(SECRET_AT + at / 2)
      one += weights[at++]! * character
      two += weights[at++]! * character
    }
    return { one, two }
  }
}
