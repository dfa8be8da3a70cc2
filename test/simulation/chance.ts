/** Chance that is the same in every run of a seed. */

/** A source of numbers; each is used by one part of a run alone, so that a part that asks more often moves no other. */
export interface Chance {
  /** From 0 on, below 1. */
  next(): number
  /** A whole number from 0 on, below `n`. */
  below(n: number): number
  /** From `low` on, below `high`. */
  between(low: number, high: number): number
  /** Whether something happens that does with this probability. */
  hit(probability: number): boolean
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
  /** A source of its own, the same for the same name however often this one was asked. */
  fork(name: string): Chance
}

/** Makes a source: sfc32 of Chris Doty-Humphrey, seeded by a text. */
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

/** FNV-1a with four beginnings. */
function seedsOf(text: string): [number, number, number, number] {
  const hashed = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((from) => {
    let hash = from
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    return hash | 0
  })
  return hashed as [number, number, number, number]
}
