import { SECRET_AT } from '../key-text/key-text.ts'

/** Stored for a verified key instead of its text. */
export interface KeyPrint {
  readonly one: number
  readonly two: number
}

/** Weights have 40 bits. With 49 characters below 128 a sum stays below 2^53 and is exact. */
const WEIGHT_BYTES = 5
/** 49 weights for each of the two sums. */
const WEIGHTS = 98

/**
 * Creates the function that computes the print of a text that has the shape of a key: two sums over all characters after the
 * id, each character multiplied by its own weight. The weights are random, drawn by `draw` for the first print, and never
 * leave the process.
 *
 * If two texts differ, at most one of the 2^40 values of a weight makes a sum equal, whatever the other weights are. So a
 * wrong text has the print of the right one with a probability of 2^-80, which depends on no cryptographic assumption. All
 * texts take the same time, a quarter of the time of a hash. A print has at most 106 of the 256 bits of a secret, so a memory
 * dump does not reveal the key.
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
