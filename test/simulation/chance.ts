/** Random numbers that are the same in every run of a seed. */

/**
 * A source of random numbers. Each part of a run uses its own source, so that additional draws in one part do not
 * change another part.
 */
export interface Chance {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from 0 (inclusive) to `n` (exclusive). */
  below(n: number): number
  /** A number from `low` (inclusive) to `high` (exclusive). */
  between(low: number, high: number): number
  /** Returns true with the given probability. */
  hit(probability: number): boolean
  /** A random element of a list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
  /** An independent source. It depends only on the seed and the name, not on earlier draws. */
  fork(name: string): Chance
}

/** Creates a source: sfc32 by Chris Doty-Humphrey, seeded by a text. */
export function createChance(seed: string): Chance {
  let [a, b, c, d] = seedsOf(seed)
  const word = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 12; warm++) word()
  const chance: Chance = {
    next: () => word() / 2 ** 32,
    below: (n) => Math.floor(chance.next() * n),
    between: (low, high) => low + chance.next() * (high - low),
    hit: (probability) => chance.next() < probability,
    pick: (list) => list[chance.below(list.length)]!,
    bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff),
    fork: (name) => createChance(`${seed}/${name}`),
  }
  return chance
}

/** FNV-1a with four initial values. */
function seedsOf(text: string): [number, number, number, number] {
  const hashed = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((from) => {
    let hash = from
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    return hash | 0
  })
  return hashed as [number, number, number, number]
}
