/**
 * BLAKE2b (RFC 7693) without a key. Numbers of 64 bits stand as two of 32, the lower first: with big integers it would take a
 * hundred times as long.
 */

/** The initialization vector: that of SHA-512. */
const IV: Uint32Array = Uint32Array.of(
  ...[0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a],
  ...[0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19],
)

/** Which word of a block each step takes, section 2.7: ten rounds of sixteen. The last two rounds are the first two again. */
const ORDER: Uint8Array = Uint8Array.from(
  '0123456789abcdefea489fd61c02b753b8c052fdae3671947931dcbe265a40f8905724afe1bc683d2c6a0b834d75fe19c51fed4a0763928bdb7ec13950f4862a6fe9b308c2d714a5a2847615fb9e3cd0',
  (digit) => Number.parseInt(digit, 16),
)

const BLOCK_BYTES = 128

/** The hash of `input`, `length` bytes long (1 to 64). */
export function blake2b(input: Uint8Array, length: number): Uint8Array {
  const state = IV.slice()
  // One lane, one level, no key.
  state[0]! ^= 0x01010000 ^ length
  const mixed = new Uint32Array(32)
  for (let from = 0; from === 0 || from < input.length; from += BLOCK_BYTES) {
    const block = new Uint8Array(BLOCK_BYTES)
    const piece = input.subarray(from, from + BLOCK_BYTES)
    block.set(piece)
    mixed.set(state)
    mixed.set(IV, 16)
    mixed[24]! ^= from + piece.length
    if (from + BLOCK_BYTES >= input.length) {
      mixed[28]! ^= -1
      mixed[29]! ^= -1
    }
    compress(mixed, new DataView(block.buffer))
    for (let index = 0; index < 16; index++) state[index]! ^= mixed[index]! ^ mixed[index + 16]!
  }
  const hash = new DataView(new ArrayBuffer(64))
  for (let index = 0; index < 16; index++) hash.setUint32(4 * index, state[index]!, true)
  return new Uint8Array(hash.buffer, 0, length)
}

/** The twelve rounds of section 3.2: each mixes the four columns of sixteen words, then the four diagonals. */
function compress(words: Uint32Array, block: DataView): void {
  const add = (at: number, low: number, high: number): void => {
    const sum = words[at]! + low
    words[at] = sum
    words[at + 1]! += high + (sum > 0xffffffff ? 1 : 0)
  }
  /** Combines with another by XOR and turns the result to the right; by half of it or more, its halves change places. */
  const turn = (at: number, other: number, by: number): void => {
    const swap = by >> 5
    const low = words[at + swap]! ^ words[other + swap]!
    const high = words[at + 1 - swap]! ^ words[other + 1 - swap]!
    words[at] = (low >>> by) | ((high << 1) << (31 - (by & 31)))
    words[at + 1] = (high >>> by) | ((low << 1) << (31 - (by & 31)))
  }
  for (let step = 0; step < 192; step++) {
    const column = (step >> 1) & 3
    const diagonal = (step >> 3) & 1
    const row = (number: number): number => 8 * number + 2 * ((column + diagonal * number) & 3)
    const [a, b, c, d] = [row(0), row(1), row(2), row(3)] as const
    const word = 8 * ORDER[step % 160]!
    const second = step & 1
    // The function G of section 3.1, in its two halves.
    add(a, words[b]!, words[b + 1]!)
    add(a, block.getUint32(word, true), block.getUint32(word + 4, true))
    turn(d, a, second ? 16 : 32)
    add(c, words[d]!, words[d + 1]!)
    turn(b, c, second ? 63 : 24)
  }
}
